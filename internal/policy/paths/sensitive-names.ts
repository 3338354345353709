// File names that need approval: secrets when they are read, and files that can start programs later when
// they are written.
import { once } from '../../base/once.ts'
/**
 * Names of files and directories that contain secrets, in any letter case. `grep` and `finder` skip them
 * unless the call names them.
 */
export const sensitiveGlobs: readonly string[] = [
  // Files with settings and environment variables, which may contain passwords.
  ...['.env*', '*.env', '.flaskenv', '.netrc', '_netrc', '.npmrc', '.yarnrc.yml', '.pypirc', '.htpasswd'],
  ...[
    '.pgpass',
    'pgpass.conf',
    '.pg_service.conf',
    '.my.cnf',
    '.mylogin.cnf',
    '.s3cfg',
    '.boto',
    'rclone.conf',
  ],
  ...['.git-credentials', '.vault-token', '.terraformrc', 'terraform.rc', '*.tfrc.json', '.dockercfg'],
  ...['.dockerconfigjson', '*.tfstate', '*.tfstate.backup', '*.tfvars', '*.tfvars.json', '*.ovpn'],
  ...['.aws', '.ssh', '.gnupg', '.kube', '.azure', '.gcloud', '.password-store', '.secrets', '.bash_history'],
  ...['.zsh_history', '.psql_history', '.mysql_history', '.node_repl_history', '.python_history'],
  // Files with private keys.
  ...['id_rsa*', 'id_dsa*', 'id_ecdsa*', 'id_ed25519*', 'id_xmss*', '*.pem', '*.key', '*.ppk', '*.p8'],
  ...['*.p12', '*.pfx', '*.pkcs12', '*.jks', '*.jceks', '*.bks', '*.keystore', '*.kdb', '*.kdbx', '*.agekey'],
  ...['*.gpg', '*.keytab', 'kubeconfig', '*.kubeconfig', 'kubeconfig.*'],
  // Files whose name says that they contain credentials.
  ...['credentials', '*credentials.json', 'credentials.yml', 'credentials.yaml', 'credentials.toml'],
  ...['credentials.csv', 'credentials.xml', 'credentials.ini', 'credentials.db', 'credentials.properties'],
  ...['application_default_credentials*', 'service-account*.json', 'service_account*.json'],
  ...['serviceaccount*.json', 'access_tokens.db', 'accesstokens.json', 'msal_token_cache*', 'auth.json'],
  ...['secrets.json', 'secrets.yml', 'secrets.yaml', 'secrets.toml', 'secrets.ini', 'secrets.env'],
]

/** Names that contain secrets only in a certain directory: consecutive components of a path. */
export const sensitivePaths: readonly string[] = [
  ...['.git/config', '.docker/config.json', '.config/gh/hosts.yml', '.config/hub', '.config/gcloud'],
  ...['.config/glab-cli/config.yml', '.config/op', '.config/doctl/config.yaml', '.m2/settings.xml'],
  ...['.m2/settings-security.xml', '.gradle/gradle.properties', '.subversion/auth', '.huggingface/token'],
  ...['huggingface/token', '.fly/config.yml', '.databrickscfg', '.snowsql/config'],
]

/** Matches files that show the environment, memory and open files of a process. */
const processFile = /^\/proc\/(?:[^/]+\/)+(?:environ|mem|fd|map_files|auxv)(?:\/|$)/

/**
 * Matches the names of sample files, which show the form of a secret file without its secrets, and of
 * public SSH keys.
 */
const sample = new RegExp(
  [
    String.raw`(?:^|[._-])(?:example|sample|template|dist|tmpl|tpl)(?:\.(?:json|ya?ml|toml|ini|env|`,
    String.raw`tfvars|xml|properties))?$|^id_\w+\.pub$`,
  ].join(''),
)

/** The names of sample files and public SSH keys as globs, for programs that accept no regular expression. */
export const sampleGlobs: readonly string[] = [
  '*[._-]{example,sample,template,dist,tmpl,tpl}',
  '*[._-]{example,sample,template,dist,tmpl,tpl}.{json,yml,yaml,toml,ini,env,tfvars,xml,properties}',
  '{example,sample,template,dist,tmpl,tpl}.{json,yml,yaml,toml,ini,env,tfvars,xml,properties}',
  'id_*.pub',
]

/**
 * Names of files and directories whose change needs approval in every mode. Each entry is a sequence of path
 * components that may occur at any position of a path.
 */
export const guardedNames: readonly string[] = [
  // Version control: hooks, and settings that name programs to start.
  ...[
    '.git',
    '.hg',
    '.svn',
    '.bzr',
    '.jj',
    '.gitconfig',
    '.gitmodules',
    '.config/git',
    '.husky',
    '.githooks',
  ],
  ...['.git-hooks', 'lefthook.yml', 'lefthook.yaml', '.lefthook', '.lefthook.yml', 'lefthook-local.yml'],
  ...['.pre-commit-config.yaml', '.overcommit.yml', '.hgrc'],
  // Files whose instructions or settings Anode itself follows.
  ...['anode.json', '.anode', '.agents', '.mcp.json', '.lsp.json', '.config/anode'],
  // Files of continuous integration, which start commands.
  ...['.github/workflows', '.github/actions', '.gitea', '.forgejo', '.gitlab-ci.yml', '.gitlab-ci.yaml'],
  ...['.gitlab/ci', '.circleci', '.buildkite', '.travis.yml', '.drone.yml', '.woodpecker', '.woodpecker.yml'],
  ...['.woodpecker.yaml', 'appveyor.yml', '.appveyor.yml', 'azure-pipelines.yml', 'azure-pipelines.yaml'],
  ...[
    '.azure-pipelines',
    '.azuredevops',
    'bitbucket-pipelines.yml',
    'jenkinsfile',
    '.teamcity',
    '.cirrus.yml',
  ],
  ...['cloudbuild.yaml', 'cloudbuild.yml', 'buildspec.yml', '.semaphore', 'codemagic.yaml', 'wercker.yml'],
  // Start files of shells and login sessions.
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.inputrc'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.mkshrc', '.cshrc', '.tcshrc'],
  ...['.login', '.logout', '.config/fish', '.envrc', '.direnvrc', '.config/direnv', '.xprofile', '.xinitrc'],
  ...['.xsession', '.xsessionrc', '.xserverrc', '.config/autostart', '.config/systemd', '.pam_environment'],
  ...['.config/environment.d', '.crontab', 'library/launchagents', '.tmux.conf', '.screenrc', '.gdbinit'],
  // Settings that name programs for tools that run automatically.
  ...['.ripgreprc', '.config/ripgrep', '.cargo/config', '.cargo/config.toml', '.yarnrc', '.pnpmfile.cjs'],
  // Settings of editors and other agents that start programs when a directory is opened.
  ...['.vscode', '.idea', '.devcontainer', '.devcontainer.json', '.fleet', '.zed', '.vimrc', '.exrc', '.vim'],
  ...['.nvimrc', '.nvim.lua', '.config/nvim', '.emacs', '.emacs.d', '.dir-locals.el', '.claude', '.codex'],
  ...['.cursor', '.gemini', '.opencode', '.windsurf', '.continue', 'opencode.json', 'opencode.jsonc'],
  ...['.aider.conf.yml', '.roo', '.roomodes', '.kilocode', '.kilocodemodes', '.amazonq', '.qwen', '.factory'],
  ...['.crush', '.crush.json', 'crush.json', '.kiro', '.junie', '.trae', '.augment', '.goose'],
  // Settings and start files that programs read from their working directory.
  ...['.mise.toml', 'mise.toml', '.mise', '.pdbrc', '.irbrc', '.pryrc', '.lldbinit', '.ghci', '.iex.exs'],
  ...['.rprofile', '.sqliterc', '.psqlrc', '.octaverc'],
]

/** Match the names of settings of agents and editors that the lists of this file do not contain. */
const serverSettings = /^\.?mcp(?:[-_.][\w-]+)*\.jsonc?$/
const folderSettings = /^settings(?:\.[\w-]+)*\.jsonc?$/

function settingsByShape(parts: readonly string[]): string | undefined {
  const folder = parts.find((part) => /^\.[^.]/.test(part))
  return parts.find(
    (part) =>
      serverSettings.test(part) || (folder !== undefined && folder !== part && folderSettings.test(part)),
  )
}

const instructionStems = 'agents?|claude|gemini|qwen|crush|warp|codebuddy|iflow|replit|copilot-instructions'

/** Matches files that agents read as instructions, so that they influence every later session. */
const instructionFile = new RegExp(
  [
    String.raw`^(?:(?:${instructionStems})(?:\.[\w-]+)?\.mdc?`,
    String.raw`[\w.-]+\.(?:instructions|prompt|chatmode|agent)\.md|\.[\w-]*rules|\.goosehints`,
    String.raw`\.augment-guidelines|\.openhands_instructions)$`,
  ].join('|'),
)

/**
 * Returns the first component of a relative path that is the name of an instruction file, as `foldName`
 * returns it; undefined without one.
 */
export const instructionName = (path: string): string | undefined =>
  partsOf(path).find((part) => instructionFile.test(part))

/**
 * Returns a name as tolerant file systems compare it: letter case, composed letters, invisible characters, an
 * NTFS stream (`:name`), and dots and spaces at the end make no difference.
 */
export function foldName(name: string): string {
  if (/^[a-z0-9._-]*[a-z0-9_-]$/.test(name)) return name
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/(?<=.):.*$/s, '')
    .replace(/(?<=[^. ])[. ]+$/, '')
}

/**
 * Splits a path into components in the form in which file systems compare them. A backslash
 * separates as well.
 */
const partsOf = (path: string) => path.split(/[/\\]/).flatMap((part) => (part === '' ? [] : [foldName(part)]))

/**
 * Returns true if the path may contain secrets: by the name of a component, by several consecutive
 * components, or as a file of a process in /proc.
 */
export function isSensitive(path: string): boolean {
  const parts = partsOf(path)
  return parts.some(isSecret) || inFolder(parts) || processFile.test(path)
}

const plainSecrets = once(() => new Set(sensitiveGlobs.filter((glob) => !glob.includes('*'))))

/**
 * All entries of `sensitiveGlobs` with a `*`, joined in one expression, because they are compared with every
 * component of every path that is read.
 */
const secretGlobs = once(
  () =>
    new RegExp(
      `^(?:${sensitiveGlobs
        .filter((glob) => glob.includes('*'))
        .map((glob) => glob.replaceAll('.', '\\.').replaceAll('*', '.*'))
        .join('|')})$`,
      's',
    ),
)

function isSecret(name: string): boolean {
  return plainSecrets().has(name) || (secretGlobs().test(name) && !sample.test(name))
}

/** Returns the entries of a list, grouped by their last path component, so that a lookup by name is fast. */
function byLast(names: readonly string[]): Map<string, string[]> {
  const rows = new Map<string, string[]>()
  for (const name of names) {
    const last = name.slice(name.lastIndexOf('/') + 1)
    rows.set(last, [...(rows.get(last) ?? []), name])
  }
  return rows
}

const secretRows = once(() => byLast(sensitivePaths))
const guardRows = once(() => byLast(guardedNames))

const guardedTops = once(() => new Set(guardedNames.map((name) => name.split('/', 1)[0] as string)))

/**
 * Returns `name` in its folded form if an entry of `guardedNames` begins with it as a path
 * component; otherwise undefined.
 */
export function guardedTopOf(name: string): string | undefined {
  const part = foldName(name)
  return guardedTops().has(part) ? part : undefined
}

/**
 * Returns an entry of a list whose components occur in the path one after another, of several the one that
 * ends first; undefined without one.
 */
function rowIn(rows: Map<string, string[]>, parts: readonly string[]): string | undefined {
  for (const [i, part] of parts.entries()) {
    for (const row of rows.get(part) ?? []) {
      const rowParts = row.split('/')
      if (rowParts.every((one, k) => parts[i + 1 - rowParts.length + k] === one)) return row
    }
  }
  return undefined
}

const telling = new RegExp(
  [
    'credential|token|kubeconfig|netrc|jenkinsfile|launchagents|id_(?:rsa|dsa|ecdsa|ed25519|xmss)',
    String.raw`proc\/|(?:^|\/)(?:${instructionStems})\.md$`,
  ].join('|'),
  'i',
)

/**
 * Returns true if the path certainly matches no list of this file, as for most source files. This fast check
 * comes before the exact ones.
 */
export function isOrdinary(path: string): boolean {
  return (
    /^[\w/-]*(?:\.(?:[cm]?[jt]sx?|md|py|go|rs|c|h|txt|java|rb|css|html))?$/.test(path) && !telling.test(path)
  )
}

/**
 * Returns false if `name`, as the last component of a path, cannot make that path match a list of this file.
 * This fast check comes before the exact ones.
 */
export function mayMatter(name: string): boolean {
  const part = foldName(name)
  const isListed = guardRows().has(part) || secretRows().has(part) || isSecret(part)
  return (
    isListed ||
    /[~:\\]/.test(name) ||
    [serverSettings, folderSettings, instructionFile].some((shape) => shape.test(part))
  )
}

const inFolder = (parts: readonly string[]) => rowIn(secretRows(), parts) !== undefined

/** Returns the name in a relative path whose change needs approval, or undefined. */
export function guardedName(path: string): string | undefined {
  const parts = partsOf(path)
  const long = (part: string) => longNames().get(part.replace(/~\d+/, '~')) ?? part
  const whole = path.includes('~') ? parts.map((part) => (/~\d/.test(part) ? long(part) : part)) : parts
  return rowIn(guardRows(), whole) ?? settingsByShape(whole)
}

/**
 * Names of `guardedNames` by their short Windows alias: `git~1` is `.git`, `anode~1.jso` is `anode.json`. If
 * names share an alias, the first one counts.
 */
const longNames = once(
  () =>
    new Map(
      guardedNames
        .flatMap((name) => name.split('/'))
        .map((part) => [shortName(part), part] as const)
        .toReversed(),
    ),
)

function shortName(name: string): string {
  const bare = name.replace(/^\.+/, '')
  const dot = bare.lastIndexOf('.')
  const [base, ending] = dot < 0 ? [bare, ''] : [bare.slice(0, dot), bare.slice(dot, dot + 4)]
  return `${base.replaceAll('.', '').slice(0, 6)}~${ending}`
}
