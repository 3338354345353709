// Sensitive names as globs, so that a search never opens such files unless one is named.

/** Matched against base names of files and folders, without regard to case. */
export const guardedGlobs: readonly string[] = [
  '.env*',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  'id_rsa*',
  'id_dsa*',
  'id_ecdsa*',
  'id_ed25519*',
  'credentials',
  'credentials.json',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.aws',
  '.ssh',
  '.gnupg',
  '.kube',
]

const pattern = new RegExp(
  `(?:^|/)(?:${guardedGlobs.map((one) => one.replaceAll('.', '\\.').replaceAll('*', '[^/]*')).join('|')})(?:/|$)`,
  'i',
)

export function isGuarded(name: string): boolean {
  return pattern.test(name)
}
