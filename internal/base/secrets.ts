// The forms of secrets: names of variables, and formats of keys, tokens and passwords. All code that hides
// secrets uses this table.

/** Parts of names of variables that contain a secret. */
const names = new RegExp(
  [
    'TOKEN|SECRET|PASSW|PASSPHRASE|PASSCODE|(?:^|_)PASS$|(?:^|_)PW$|PWD$|(?:^|_)PAT$|',
    'CREDENTIAL|COOKIE|JWT|(?:^|_)DSN(?:_|$)|WEBHOOK|KEY(?!BOARD|MAP|PAD|CODE|WORD|',
    'STROKE|TIMEOUT|LAYOUT)|AUTH(?!OR(?!I[ZS]))',
  ].join(''),
  'i',
)

/** Names that match the parts above but contain a path or no secret. */
const harmless = /^(?:PWD|OLDPWD|SSH_AUTH_SOCK)$/i

/** Returns true for a variable whose name denotes a secret. */
export function isSecretName(name: string): boolean {
  return names.test(name) && !harmless.test(name)
}

/**
 * Access keys that begin with a provider's prefix. No match begins after a slash or a period, because texts
 * such as `a/b` and `x.sk-…` are paths.
 */
const token = [
  '(?:sk|xai|csk)[-_][\\w-]{12,}',
  '(?:pk|rk|gsk|fw|r8|hf|tgp|sb|whsec|shp(?:at|ca|pa|ss))_[\\w-]{12,}',
  'AIza[\\w-]{20,}',
  '(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{12,}',
  'gh[pousr]_[\\w-]{12,}',
  '(?:github_pat|dckr_pat|npm|dop_v1|lin_api|ntn)_[\\w-]{20,}',
  'glpat-[\\w-]{12,}',
  'pypi-[\\w-]{40,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  'xox[abeoprs]-[\\w-]{10,}',
  'xapp-[\\w-]{10,}',
  'eyJ[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]{8,}',
].join('|')

const label =
  '(?:pass(?:word|wd|phrase)?|pwd|(?:client_?|api_?)?secret|(?:access|auth|api|refresh|' +
  'id|session)?_?token|(?:api|access|account|shared_?access|private)_?key|_auth)'

/**
 * The form of a secret. Every text of this form contains `sign`, which may be empty, so that the expression
 * is compiled only for texts with this sign.
 */
interface SecretForm {
  readonly sign: string
  readonly form: RegExp
}

/**
 * Forms, each with the part to keep in its first group and the part to hide after it. None crosses a quote
 * character, or a backslash that does not escape a line end, so that a line of JSON stays valid.
 */
const forms: readonly SecretForm[] = [
  {
    sign: '-----BEGIN ',
    form: /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)(?:[\w+/=\s:,.()-]|\\[nr])*/g,
  },
  // A password may contain @ and, unless it then reads as a port, slashes.
  {
    sign: '://',
    form: new RegExp(
      `\\b([a-z][a-z0-9+.-]{1,20}://(?!\\[[\\da-f:.]+\\])[^/\\s@:"'\\\\]{0,200}:)(?!\\d{1,5}/)` +
        `[^\\s@"'\\\\]{1,400}(?:@[^/\\s@"'\\\\]{1,200})*(?=@)`,
      'gi',
    ),
  },
  { sign: '', form: /\b((?:Bearer|Basic)\s+)[\w.~+/-]{8,}=*/gi },
  // matches `password=…` of a connection string, a URL or an option, but not an expression of a program
  {
    sign: '=',
    form: new RegExp(`((?:^|[\\s;&?,.:/-]|(?<=[a-z])(?=[A-Z]))${label}=)[^\\s;&"'\\\\(){}<>$]{3,}`, 'gi'),
  },
  { sign: '', form: new RegExp(`(?<![\\w/.-])()(?:${token})`, 'g') },
]

/** Returns true for a value that contains a text in the form of a secret, under any name of a variable. */
export function containsSecret(value: string): boolean {
  return forms.some(({ sign, form }) => value.includes(sign) && value.search(form) >= 0)
}

/** Returns `text` with `mark` in place of everything that has the form of a secret. */
export function hideSecrets(text: string, mark: string): string {
  return forms.reduce(
    (out, { sign, form }) =>
      out.includes(sign) ? out.replace(form, (_whole, before: string) => before + mark) : out,
    text,
  )
}
