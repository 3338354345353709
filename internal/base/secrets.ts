// What looks like a secret: names of variables, and the forms that keys, tokens and passwords come in. One
// table for all who hide them.

/** Parts of names. What follows in the second group belongs to words of every day. */
const names = new RegExp(
  [
    'TOKEN|SECRET|PASSW|PASSPHRASE|PASSCODE|(?:^|_)PASS$|(?:^|_)PW$|PWD$|(?:^|_)PAT$|',
    'CREDENTIAL|COOKIE|JWT|(?:^|_)DSN(?:_|$)|WEBHOOK|KEY(?!BOARD|MAP|PAD|CODE|WORD|',
    'STROKE|TIMEOUT|LAYOUT)|AUTH(?!OR(?!I[ZS]))',
  ].join(''),
  'i',
)

/** Names that the parts above would take, and that hold a place or nothing secret. */
const harmless = /^(?:PWD|OLDPWD|SSH_AUTH_SOCK)$/i

/** True for a variable that is called after a secret. */
export function isSecretName(name: string): boolean {
  return names.test(name) && !harmless.test(name)
}

/** Tokens that their providers mark; `a/b` and `x.sk-…` are places, so none begins behind such a sign. */
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

/** `sign` stands in everything that has the form: without it the expression need not even be compiled. */
interface Form {
  readonly sign: string
  readonly form: RegExp
}

/**
 * Each with what stays in its first group and what goes behind it. None reaches over a quotation mark or a
 * backslash, so that a line of JSON stays one.
 */
const forms: readonly Form[] = [
  {
    sign: '-----BEGIN ',
    form: /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)(?:[\w+/=\s:,.()-]|\\[nr])*/g,
  },
  { sign: '://', form: /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^/\s@:"'\\]{0,200}:)[^/\s@"'\\]{1,400}(?=@)/gi },
  { sign: '', form: /\b((?:Bearer|Basic)\s+)[\w.~+/-]{8,}=*/gi },
  // password=… of a connection string, an address or an option; an expression of a program is none
  {
    sign: '=',
    form: new RegExp(`((?:^|[\\s;&?,.:/-]|(?<=[a-z])(?=[A-Z]))${label}=)[^\\s;&"'\\\\(){}<>$]{3,}`, 'gi'),
  },
  { sign: '', form: new RegExp(`(?<![\\w/.-])()(?:${token})`, 'g') },
]

/** True for a value that is a secret or holds one, whatever it is called. */
export function containsSecret(value: string): boolean {
  return forms.some(({ sign, form }) => value.includes(sign) && value.search(form) >= 0)
}

/** `text` with `mark` in the place of everything that has the form of a secret. */
export function hideSecrets(text: string, mark: string): string {
  return forms.reduce(
    (out, { sign, form }) =>
      out.includes(sign) ? out.replace(form, (_whole, before: string) => before + mark) : out,
    text,
  )
}
