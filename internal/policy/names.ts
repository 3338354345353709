// Names of files that need a person's word: secrets for reading, and for writing what can start programs later.
/** File and folder names that hold secrets; case does not count. `grep` and `finder` leave them out unless named. */
export const sensitiveGlobs: readonly string[] = [
  ...['.env*', '.netrc', '_netrc', '.npmrc', '.yarnrc.yml', '.pypirc', '.pgpass', '.my.cnf', '.htpasswd'],
  ...[
    '.git-credentials',
    '.vault-token',
    '.terraformrc',
    '.dockercfg',
    '.dockerconfigjson',
    '.s3cfg',
    '.boto',
  ],
  ...['.aws', '.ssh', '.gnupg', '.kube', '.azure', '.gcloud', '.password-store', '.secrets', '*.tfstate'],
  ...[
    'id_rsa',
    'id_dsa',
    'id_ecdsa',
    'id_ecdsa_sk',
    'id_ed25519',
    'id_ed25519_sk',
    '*.pem',
    '*.key',
    '*.ppk',
  ],
  ...['*.p8', '*.p12', '*.pfx', '*.jks', '*.keystore', '*.kdbx', 'kubeconfig', '*.kubeconfig'],
  ...['credentials', '*credentials.json', 'credentials.yml', 'credentials.yaml', 'credentials.toml'],
  ...[
    'credentials.csv',
    'credentials.xml',
    'credentials.ini',
    'credentials.db',
    'application_default_credentials*',
  ],
  ...['service-account*.json', 'service_account*.json', 'secrets.json', 'secrets.yml', 'secrets.yaml'],
  ...['secrets.toml', 'secrets.ini', 'secrets.env'],
]

/** Writing one of these asks in every mode: parts of a path, one after the other, wherever they stand. */
export const guardedNames: readonly string[] = [
  // version control: hooks and settings that name programs
  ...['.git', '.hg', '.svn', '.gitconfig', '.gitmodules', '.config/git', '.husky', '.githooks'],
  ...['lefthook.yml', 'lefthook.yaml', '.lefthook', '.pre-commit-config.yaml', '.overcommit.yml'],
  // what Anode itself obeys
  ...['anode.json', '.anode', '.agents', '.mcp.json', '.lsp.json', '.config/anode'],
  // continuous integration
  ...['.github/workflows', '.github/actions', '.gitea', '.forgejo', '.gitlab-ci.yml', '.gitlab-ci.yaml'],
  ...['.gitlab/ci', '.circleci', '.buildkite', '.travis.yml', '.drone.yml', '.woodpecker', '.woodpecker.yml'],
  ...['.woodpecker.yaml', 'appveyor.yml', '.appveyor.yml', 'azure-pipelines.yml', 'azure-pipelines.yaml'],
  ...[
    'bitbucket-pipelines.yml',
    'jenkinsfile',
    '.teamcity',
    '.cirrus.yml',
    'cloudbuild.yaml',
    'cloudbuild.yml',
  ],
  // shells
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.inputrc'],
  ...[
    '.zshrc',
    '.zshenv',
    '.zprofile',
    '.zlogin',
    '.zlogout',
    '.kshrc',
    '.mkshrc',
    '.cshrc',
    '.tcshrc',
    '.login',
  ],
  ...['.logout', '.config/fish', '.envrc', '.direnvrc', '.xprofile', '.xinitrc', '.xsession', '.xsessionrc'],
  ...['.config/autostart', '.config/systemd', '.pam_environment', '.config/environment.d', '.crontab'],
  // editors and other agents: settings that start programs when a folder is opened
  ...[
    '.vscode',
    '.idea',
    '.devcontainer',
    '.devcontainer.json',
    '.vimrc',
    '.exrc',
    '.nvimrc',
    '.config/nvim',
  ],
  ...['.claude', '.codex', '.cursor', '.gemini', '.opencode'],
]

/** A name as a forgiving file system may compare it: case, composition, invisible characters, trailing dots. */
export function fold(name: string): string {
  if (/^[a-z0-9_-][a-z0-9._-]*[a-z0-9_-]$/.test(name)) return name
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/(?<=[^. ])[. ]+$/, '')
}

/** True when a name, or any part of a path, is one that may hold secrets. */
export function sensitive(path: string): boolean {
  return path.split('/').some((part) => part !== '' && isSecret(fold(part)))
}

const secrets = new Set(sensitiveGlobs.filter((glob) => !glob.includes('*')))

/** All patterns in one expression: every part of every path that is read is held against them. */
const secretGlobs = new RegExp(
  `^(?:${sensitiveGlobs
    .filter((glob) => glob.includes('*'))
    .map((glob) => glob.replaceAll('.', '\\.').replaceAll('*', '.*'))
    .join('|')})$`,
  's',
)

function isSecret(name: string): boolean {
  return secrets.has(name) || secretGlobs.test(name)
}

/** The guarded name that a relative path touches, or undefined. */
export function guarded(path: string): string | undefined {
  const joined = `/${path.split('/').filter(Boolean).map(fold).join('/')}/`
  return guardedNames.find((name) => joined.includes(`/${name}/`))
}
