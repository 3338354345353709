// Paths with the decision of the path rules. The same rows are used for read tools, write tools
// and shell commands.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The decisions for writing and reading a path. */
interface PlaceRow {
  path: string
  write: 'ask' | 'allow'
  read: 'ask' | 'allow'
}

const guards = [
  ...['.git/hooks/pre-commit', '.git/HEAD', '.git', '.GIT/HEAD', '.git./HEAD', 'git~1/hooks/x', 'GIT~1/HEAD'],
  ...['.git::$INDEX_ALLOCATION/hooks/x', '.g\u200cit/HEAD', '.git /HEAD', 'sub/.git/HEAD', '.gitmodules'],
  ...['.husky/pre-commit', '.githooks/x', 'anode.json', '.anode/x', '.agents/x', '.mcp.json', 'ANODE~1.JSO'],
  ...['.vscode/tasks.json', '.idea/x', '.claude/settings.json', '.devcontainer.json', '.envrc', '.bashrc'],
  ...['.zshrc', '.profile', '.config/fish/config.fish', '.github/workflows/ci.yml', '.gitlab-ci.yml'],
  ...['Jenkinsfile', '.circleci/config.yml', '.ripgreprc', 'to-hooks/pre-commit', 'src/.github/actions/x'],
]

const secrets = [
  ...['.env', '.env.local', 'prod.env', '.flaskenv', 'prod.tfvars', '.docker/config.json', 'auth.json'],
  ...['.config/gh/hosts.yml', 'id_rsa', 'id_rsa_work', 'id_ed25519.bak', 'x.pem', 'X.KEY', '.git/config'],
  ...['.git-credentials', '.pgpass', '.my.cnf', '.pypirc', '.cargo/credentials.toml', '.terraformrc'],
  ...['credentials.json', 'service-account-x.json', '.vault-token', 'kubeconfig', 'a.jks', 'a.keystore'],
  ...[
    '.config/gcloud/x',
    '.azure/x',
    '.ssh/config',
    '.netrc',
    '.npmrc',
    'to-env',
    '.ENV',
    '.aws/credentials',
  ],
]

const plain = [
  ...['a.txt', 'src/a.ts', '.gitignore', '.github/bugs.md', '.env.example', 'prod.tfvars.sample'],
  ...['id_rsa.pub', 'service-account.example.json', 'config.json', 'docker/config.json', 'hosts.yml'],
  ...['environment.ts', 'monkey', 'gitignore', 'git-1/x'],
]

export const placeRows: readonly PlaceRow[] = [
  // secrets below .git or in shell settings are both
  ...guards.map(
    (path) => ({ path, write: 'ask' as const, read: path === '.envrc' ? 'ask' : 'allow' }) as const,
  ),
  ...secrets.map((path) => ({ path, write: 'ask', read: 'ask' }) as const),
  ...plain.map((path) => ({ path, write: 'allow', read: 'allow' }) as const),
]

/** Creates the directories and links of the rows. */
export function plantPlaces(workspace: string): void {
  for (const dir of [
    '.git/hooks',
    '.github/workflows',
    'src',
    'keep/deep',
    'open',
    'tree/.husky',
    'tree/deep/er',
  ])
    mkdirSync(join(workspace, dir), { recursive: true })
  const files = ['.git/config', '.git/HEAD', '.env', 'a.txt', 'src/a.ts', 'keep/f', 'keep/deep/f', 'open/x']
  for (const name of [
    ...files,
    'tree/.husky/pre-commit',
    'tree/deep/er/key.pem',
    '.github/workflows/ci.yml',
  ]) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true })
    writeFileSync(join(workspace, name), '')
  }
  symlinkSync('.git/hooks', join(workspace, 'to-hooks'))
  symlinkSync('.env', join(workspace, 'to-env'))
  symlinkSync('keep', join(workspace, 'to-keep'))
}

/** Returns a word that the shell reads literally. */
export const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Commands of the list below that a rule for the program certainly covers for an ordinary path. */
export const coveredLines = /^(?:cp a\.txt|mv|touch|chmod|unknown-program ')/

/** Programs that change a path, by the position of the path in their arguments. */
export const writers: readonly (readonly [program: string, line: (place: string) => string])[] = [
  ['cp', (place) => `cp a.txt ${quote(place)}`],
  ['cp', (place) => `cp -t${quote(place)} a.txt`],
  ['cp', (place) => `cp -rvt${quote(place)} a.txt`],
  ['cp', (place) => `cp --target-directory=${quote(place)} a.txt`],
  ['mv', (place) => `mv ${quote(place)} open/x`],
  ['ln', (place) => `ln -sf a.txt ${quote(place)}`],
  ['install', (place) => `install -m755 a.txt ${quote(place)}`],
  ['truncate', (place) => `truncate -s0 ${quote(place)}`],
  ['dd', (place) => `dd if=a.txt of=${quote(place)}`],
  ['chmod', (place) => `chmod +x ${quote(place)}`],
  ['touch', (place) => `touch ${quote(place)}`],
  ['rsync', (place) => `rsync a.txt ${quote(place)}`],
  ['rsync', (place) => `rsync host:x ${quote(place)}`],
  ['scp', (place) => `scp host:${quote(place)} open/x`],
  ['tar', (place) => `tar -C${quote(place)} -xf a.tar`],
  ['tar', (place) => `tar --directory=${quote(place)} -xf a.tar`],
  ['zip', (place) => `zip ${quote(place)} a.txt`],
  ['git update-index', (place) => `git update-index --add ${quote(place)}`],
  ['git update-index', (place) => `git update-index --cacheinfo 100644,abc,${quote(place)}`],
  ['git mv', (place) => `git mv a.txt ${quote(place)}`],
  ['git rm', (place) => `git rm ${quote(place)}`],
  ['git checkout', (place) => `git checkout HEAD -- ${quote(place)}`],
  ['git restore', (place) => `git restore --source=x ${quote(place)}`],
  ['curl', (place) => `curl --data-binary @${quote(place)} http://localhost`],
  ['unknown-program', (place) => `unknown-program ${quote(place)}`],
  ['unknown-program', (place) => `unknown-program -vo${quote(place)}`],
  ['unknown-program', (place) => `unknown-program --out=${quote(place)}`],
  ['unknown-program', (place) => `unknown-program x:${quote(place)}:ro`],
  ['unknown-program', (place) => `unknown-program type=bind,dst=x,src=${quote(place)}`],
  ['cp', (place) => `CI=1 cp a.txt ${quote(place)}`],
  ['cp', (place) => `for i in a b; do cp a.txt ${quote(place)}; done`],
]

export const readersOf: readonly (readonly [program: string, line: (place: string) => string])[] = [
  ['cat', (place) => `cat ${quote(place)}`],
  ['cat', (place) => `cat < ${quote(place)}`],
  ['head', (place) => `head -n 5 -- ${quote(place)}`],
  ['grep', (place) => `grep -e x ${quote(place)}`],
  ['git show', (place) => `git show HEAD:${quote(place)}`],
  ['git add', (place) => `git add ${quote(place)}`],
  ['cut', (place) => `cut -f1 ${quote(place)}`],
]
