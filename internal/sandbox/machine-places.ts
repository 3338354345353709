// Paths of this machine that a sandbox hides or shows: home directories, sockets, tool chains,
// directories of Anode.
import { readdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cacheDir, configDir, dataDir, homeDir } from '../base/dirs.ts'
import type { EnvironmentVariables } from '../base/environment.ts'
import { isBelow, type MachinePlaces } from './sandbox-mounts.ts'
import { readSystemPlaces } from './system-places.ts'

/** Directories below a home in which tool chains keep programs, packages and settings without secrets. */
const toolFolders = `.npm .nvm .fnm .volta .n .bun .deno .pnpm-store .yarn .local/share/pnpm .local/share/fnm
  .cargo .rustup go .local/go .gradle/wrapper .gradle/caches .m2/repository .m2/wrapper .sdkman .jenv .ivy2
  .sbt .pyenv .rye .local/share/uv .local/share/virtualenv .local/pipx .local/share/pipx
  .nodenv .goenv .jabba .conda .fly .foundry .wasmtime
  .local/lib .rbenv .rvm .gem .bundle .asdf
  .local/share/mise .local/bin .dotnet .nuget .pub-cache .mix .hex .opam .ghcup .cabal .stack .elan .julia
  .cache/pip .cache/uv .cache/node .cache/pnpm .cache/yarn .cache/go-build .cache/ms-playwright
  .cache/puppeteer .cache/Cypress .cache/electron .cache/pre-commit
  .cache/zig .cache/deno .cache/typescript .cache/pypoetry
  .gitconfig .config/git Library/Caches/pip Library/Caches/go-build Library/pnpm`.split(/\s+/)

/** Files in `toolFolders` that contain secrets. The sandbox shows them empty. */
const toolSecretFiles = `.cargo/credentials .cargo/credentials.toml .gem/credentials .bundle/config
  .config/git/credentials .nuget/NuGet/NuGet.Config .sbt/.credentials .ivy2/.credentials`.split(/\s+/)

/** Directories with state and sockets of running programs, which the sandbox hides. */
const runtimeFolders = ['/run', '/var/run', '/var/lib/docker', '/var/lib/lxd', '/var/lib/mysql', '/var/spool']

/** Programs and settings below /run on some systems, which the sandbox shows although it hides /run. */
const runtimeTools = ['/run/current-system', '/run/booted-system', '/run/systemd/resolve']

/** Environment variables that contain the path of a tool chain or of its cache. */
const toolVariables =
  `JAVA_HOME JDK_HOME ANDROID_HOME ANDROID_SDK_ROOT ANDROID_NDK_HOME DOTNET_ROOT NUGET_PACKAGES
  GOROOT GOPATH GOMODCACHE CARGO_HOME RUSTUP_HOME NVM_DIR NVM_BIN FNM_DIR VOLTA_HOME PNPM_HOME COREPACK_HOME
  DENO_DIR BUN_INSTALL PYENV_ROOT CONDA_PREFIX RBENV_ROOT GEM_HOME SDKMAN_DIR GRADLE_HOME MAVEN_HOME M2_HOME
  ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR PIP_CACHE_DIR UV_CACHE_DIR npm_config_cache PLAYWRIGHT_BROWSERS_PATH
  POETRY_HOME ELAN_HOME STACK_ROOT CABAL_DIR OPAM_SWITCH_PREFIX HOMEBREW_PREFIX`.split(/\s+/)

/**
 * Directories of programs that belong to the system. Their links are not followed, on the assumption that
 * they do not lead to a user's tool chain.
 */
const systemPrograms: ReadonlySet<string> = new Set(['/bin', '/sbin', '/usr/bin', '/usr/sbin'])

interface MachineOptions {
  /** Directories in which programs are searched, in the form of PATH. Default: PATH of `env`. */
  programs?: string | undefined
  /**
   * Additional files and directories that commands may read. `~` is the home directory; relative
   * paths are ignored.
   */
  read?: readonly string[] | undefined
}

/** Returns the existing paths of this machine, resolved to real paths, by their role in a sandbox. */
export function readMachinePlaces(
  env: EnvironmentVariables,
  { programs = env.PATH ?? '', read = [] }: MachineOptions = {},
): MachinePlaces {
  const home = homeDir()
  const homes = keepOutermost(realPaths([home, '/home', '/root', '/Users', '/export/home'])).filter(
    (path) => path !== '/',
  )
  const temporary = keepOutermost(realPaths(['/tmp', '/var/tmp', tmpdir()])).filter((path) => path !== '/')
  const system = readSystemPlaces()
  const isCovered = (path: string) => [...homes, ...temporary].some((dir) => isBelow(path, dir))
  const closed = system.closed.filter((path) => !isCovered(path))
  const runtime = keepOutermost(realPaths(runtimeFolders)).filter(
    (path) => !closed.some((dir) => isBelow(path, dir)),
  )
  const ownFolders = realPaths([dataDir(env), configDir(env), cacheDir(env)])
  const isHidden = (path: string) =>
    [...homes, ...temporary, ...runtime, ...closed].some((dir) => path.startsWith(`${dir}/`))
  const programFolders = programs.split(':').filter((path) => path.startsWith('/'))
  const bins = realPaths([...programFolders, dirname(process.execPath)])
  const linked = bins
    .filter((dir) => !systemPrograms.has(dir))
    .flatMap((dir) => linkedPrograms(dir, isHidden))
  const owners = new Set([home, ...[...bins, ...linked].flatMap((path) => ownerOf(path) ?? [])])
  const below = (names: readonly string[]) => [...owners].flatMap((one) => pathsIn(one, names))
  const variables = toolVariables.flatMap((name) => env[name] ?? []).filter((path) => path.startsWith('/'))
  const opened = realPaths(
    read.map((path) => path.replace(/^~(?=\/|$)/, home)).filter((path) => path[0] === '/'),
  )
  const isWhole = (path: string) => [...homes, ...owners, ...ownFolders].some((dir) => isBelow(dir, path))
  const tools = [
    ...realPaths([...below(toolFolders), ...runtimeTools, ...variables, ...bins.map(chainOf(home))]),
    ...linked.map(chainOfProgram(home)),
  ].filter((path) => !isWhole(path))
  return {
    homes,
    runtime,
    temporary,
    tools: keepOutermost([...new Set([...tools, ...opened])].filter((path) => isHidden(path))),
    toolSecrets: realPaths(below(toolSecretFiles)),
    closed,
    closedFiles: system.closedFiles,
    open: system.open,
    own: ownFolders,
  }
}

/** Returns the real paths of programs in `dir` that are links into directories that the sandbox hides. */
function linkedPrograms(dir: string, isHidden: (path: string) => boolean): string[] {
  try {
    const links = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink())
    return realPaths(links.map(({ name }) => join(dir, name))).filter(isHidden)
  } catch {
    // The directory cannot be listed, so no links are found.
    return []
  }
}

/**
 * Returns the home directory that contains the tool chain of a program, even if HOME is another directory;
 * undefined for a program outside of tool chains.
 */
function ownerOf(path: string): string | undefined {
  for (const name of toolFolders) {
    const at = path.indexOf(`/${name}/`)
    if (at > 0) return path.slice(0, at)
    if (path.endsWith(`/${name}`)) return path.slice(0, -name.length - 1) || undefined
  }
  return undefined
}

/**
 * Returns a function that finds the tool chain of a program. The result is the file itself if it is not in
 * a tool chain.
 */
const chainOfProgram = (home: string) => (file: string) => {
  const bin = dirname(file)
  const chain = chainOf(home)(bin)
  return chain === bin && !bin.endsWith('/bin') ? file : chain
}

/**
 * Returns a function that finds the directory to show for a directory of programs. For `node_modules/.bin` it
 * is `node_modules`. For `<chain>/bin` it is `<chain>` if that looks like a tool chain and is not shared, as
 * the home directory is. Otherwise it is the directory of programs itself.
 */
const chainOf = (home: string) => (bin: string) => {
  const chain = dirname(bin)
  if (bin.endsWith('/node_modules/.bin')) return chain
  const isShared = [home, join(home, '.local'), '/tmp', '/'].includes(chain)
  return bin.endsWith('/bin') && !isShared && holdsLibraries(chain) ? chain : bin
}

/**
 * Returns true if a directory looks like that of an installed tool chain: few entries, no repository, and
 * libraries or header files.
 */
function holdsLibraries(dir: string): boolean {
  try {
    const names = readdirSync(dir)
    const isRepository = names.includes('.git')
    return names.length < 20 && !isRepository && (names.includes('lib') || names.includes('include'))
  } catch {
    return false
  }
}

/**
 * Returns the paths below `dir` whose first component exists; all paths if `dir` cannot be listed. Listing
 * the directory once is faster than about seventy failed lookups.
 */
function pathsIn(dir: string, names: readonly string[]): string[] {
  let present: Set<string>
  try {
    present = new Set(readdirSync(dir))
  } catch {
    // A directory that can be entered but not listed may contain all of them.
    return names.map((name) => join(dir, name))
  }
  return names.filter((name) => present.has(name.split('/', 1)[0] ?? name)).map((name) => join(dir, name))
}

/** Returns each real path once. Missing paths are omitted. */
function realPaths(paths: readonly string[]): string[] {
  const uniquePaths = new Set<string>()
  for (const path of paths) {
    try {
      uniquePaths.add(realpathSync.native(path))
    } catch {
      // this machine does not have the directory
    }
  }
  return [...uniquePaths]
}

function keepOutermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => other !== path && path.startsWith(`${other}/`)))
}
