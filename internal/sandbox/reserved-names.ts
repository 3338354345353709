// Protected names that a folder does not have, and which of them an empty directory reserves.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { homedir } from '../base/home.ts'
import { guardedNames } from '../policy/paths/sensitive-names.ts'

/** Names that count in a home only: shells and sessions read them from there. */
const homeNames = new Set(
  `.gitconfig .hgrc .config/git .config/anode .bashrc .bash_profile .bash_login .bash_logout .bash_aliases
  .profile .inputrc
  .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .config/fish
  .direnvrc .config/direnv .xprofile .xinitrc .xsession .xsessionrc .xserverrc .config/autostart
  .config/systemd
  .pam_environment .config/environment.d .crontab library/launchagents .tmux.conf .screenrc .config/ripgrep
  .config/nvim .emacs .emacs.d .vim`.split(/\s+/),
)

/** Files that builds read if they exist: a directory in their place would stop a build. */
const buildNames = new Set('.gitmodules .pnpmfile.cjs .yarnrc .cargo/config .cargo/config.toml'.split(' '))

/** Names that continuous integration obeys, after somebody has published them. */
const publishedNames = new RegExp(
  String.raw`^(?:\.github/|\.gitea|\.forgejo|\.gitlab|\.circleci|\.buildkite|\.travis|\.drone|\.woodpecker|` +
    String.raw`\.?appveyor|\.?azure|bitbucket|jenkinsfile|\.teamcity|\.cirrus|cloudbuild|buildspec|` +
    String.raw`\.semaphore|codemagic|wercker)`,
)

interface ReservedNames {
  /** Paths that are open to the command. */
  isOpened: (path: string) => boolean
  /** The command outlives the call that starts it, so that what it makes may be published meanwhile. */
  lasts: boolean
  /** Directories that reserve a name for another command. */
  isStub: (path: string) => boolean
}

/**
 * Paths in `folder` where an empty directory keeps a protected name from being made: each at its first part
 * that is missing. What is not reserved is compared after the command.
 */
export function planReservedNames(folder: string, { isOpened, lasts, isStub }: ReservedNames): string[] {
  const paths = new Set<string>()
  const isHome = folder === homedir()
  for (const name of guardedNames) {
    if ((!isHome && homeNames.has(name)) || (!lasts && publishedNames.test(name))) continue
    if (isOpened(join(folder, name))) continue
    const missing = firstMissing(folder, name, isStub)
    if (missing === undefined || (buildNames.has(name) && missing === join(folder, name))) continue
    if (!isOpened(missing)) paths.add(missing)
  }
  return [...paths]
}

/** Undefined if the name exists, or a part of it is no directory. */
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
