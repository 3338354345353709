// Choice of the missing protected names that empty directories reserve, so that a command cannot create them.
import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import { homeDir } from '../base/dirs.ts'
import { countNoun } from '../base/text/count-noun.ts'
import { guardedNames } from '../policy/paths/sensitive-names.ts'

/** Names that are protected only in a home directory, where shells and sessions read them. */
const homeNames = new Set(
  `.gitconfig .hgrc .config/git .config/anode .bashrc .bash_profile .bash_login .bash_logout .bash_aliases
  .profile .inputrc
  .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .config/fish
  .direnvrc .config/direnv .xprofile .xinitrc .xsession .xsessionrc .xserverrc .config/autostart
  .config/systemd
  .pam_environment .config/environment.d .crontab library/launchagents .tmux.conf .screenrc .config/ripgrep
  .config/nvim .emacs .emacs.d .vim`.split(/\s+/),
)

/**
 * Files that builds read if they exist. An empty directory with such a name would break a build, so these
 * names are not reserved.
 */
const buildNames = new Set('.gitmodules .pnpmfile.cjs .yarnrc .cargo/config .cargo/config.toml'.split(' '))

/** Matches names that services for continuous integration read after a push. */
const publishedNames = new RegExp(
  String.raw`^(?:\.github/|\.gitea|\.forgejo|\.gitlab|\.circleci|\.buildkite|\.travis|\.drone|\.woodpecker|` +
    String.raw`\.?appveyor|\.?azure|bitbucket|jenkinsfile|\.teamcity|\.cirrus|cloudbuild|buildspec|` +
    String.raw`\.semaphore|codemagic|wercker)`,
)

interface ReservedNames {
  /** Returns true for paths that the user has opened to commands. */
  isOpened: (path: string) => boolean
  /** True for a background command. Its files may be pushed while it runs, so more names are reserved. */
  lasts: boolean
  /** Returns true for an empty directory that already reserves a name for another command. */
  isStub: (path: string) => boolean
}

/**
 * Returns the paths in `folder` that the sandbox reserves by empty directories, so that a command cannot
 * create protected names. Each path is the first missing part of a name. Other protected names are compared
 * after the command.
 */
export function planReservedNames(folder: string, { isOpened, lasts, isStub }: ReservedNames): string[] {
  const paths = new Set<string>()
  const isHome = folder === homeDir()
  for (const name of guardedNames) {
    if ((!isHome && homeNames.has(name)) || (!lasts && publishedNames.test(name))) continue
    if (isOpened(join(folder, name))) continue
    const missing = firstMissing(folder, name, isStub)
    if (missing === undefined || (buildNames.has(name) && missing === join(folder, name))) continue
    if (!isOpened(missing)) paths.add(missing)
  }
  return [...paths]
}

/**
 * Returns the path of the first part of a name that is missing or is only a reserved empty directory.
 * Undefined if the whole name exists or one of its parents is not a directory.
 */
export function firstMissing(
  folder: string,
  name: string,
  isStub: (path: string) => boolean,
): string | undefined {
  let path = folder
  for (const part of name.split('/')) {
    path = join(path, part)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (!stat || isStub(path)) return path
    if (!stat.isDirectory()) return undefined
  }
  return undefined
}

/** Number of reserved names in an output up to which it is not a list of files. */
const fewNames = 2

/** Number of characters at the start of an output that are searched for reserved names. */
const maxSearched = 20_000

/**
 * Returns a message if the output of a command lists at least three reserved names, because they are empty
 * placeholders of the sandbox; otherwise an empty list.
 */
export function describeListedNames(output: string, reserved: readonly string[]): string[] {
  if (reserved.length === 0) return []
  const names = new Set(reserved.map((path) => basename(path)))
  const words = output.slice(0, maxSearched).split(/[\s/'"]+/)
  const [example, ...more] = new Set(words.filter((word) => names.has(word)))
  if (example === undefined || more.length < fewNames) return []
  const count = countNoun(more.length + 1, 'empty folder', 'empty folders')
  return [`${count} such as ${example} reserve protected names and do not exist in the workspace`]
}
