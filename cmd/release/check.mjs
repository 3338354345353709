// The release check: problems that stop a release and nothing else.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeholder, readManifest, repositoryAddress } from './address.mjs'

/**
 * Returns one line for each problem of a release of the package in `root`. `tag` is the tag of the release,
 * such as `v1.2.3`. Without a tag, only the address of the repository is checked.
 */
export function releaseProblems(root, tag) {
  const manifest = readManifest(root)
  return [
    ...addressProblems(manifest),
    ...(tag === undefined ? [] : tagProblems(root, manifest.version, tag)),
  ]
}

function addressProblems(manifest) {
  const address = repositoryAddress(manifest)
  const problems = []
  if (address === placeholder)
    problems.push(
      `the address is the placeholder ${placeholder}: run \`node cmd/release/main.mjs address OWNER/NAME\``,
    )
  for (const key of ['homepage', 'bugs'])
    if (!manifest[key]?.startsWith(`https://github.com/${address}`))
      problems.push(`${key} differs from repository.url: ${manifest[key]}`)
  return problems
}

function tagProblems(root, version, tag) {
  const problems = tag === `v${version}` ? [] : [`the tag ${tag} differs from the version ${version}`]
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\((.*)\\)$`, 'm')
  const [, date] = heading.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')) ?? []
  if (date === undefined) problems.push(`CHANGELOG.md has no section for ${version}`)
  else if (!/^\d{4}-\d{2}-\d{2}$/.test(date))
    problems.push(`CHANGELOG.md: ${version} is "${date}", not a date`)
  return problems
}
