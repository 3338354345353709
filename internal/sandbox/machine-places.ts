// What of this machine a wall hides and shows: homes, sockets, tool chains, Anode's own folders.
import { readdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cacheDir, configDir, dataDir } from '../base/dirs.ts'
import type { EnvironmentVariables } from '../base/environment.ts'
import { homedir } from '../base/home.ts'
import type { MachinePlaces } from './wall-mounts.ts'

/** Below a home: where tool chains keep programs, packages and settings without secrets. */
const toolFolders = `.npm .nvm .fnm .volta .n .bun .deno .pnpm-store .yarn .local/share/pnpm .local/share/fnm
  .cargo .rustup go .local/go .gradle/wrapper .gradle/caches .m2/repository .m2/wrapper .sdkman .jenv .ivy2
  .sbt .pyenv .rye .local/share/uv .local/share/virtualenv .local/pipx
  .local/lib .rbenv .rvm .gem .bundle .asdf
  .local/share/mise .local/bin .dotnet .nuget .pub-cache .mix .hex .opam .ghcup .cabal .stack .elan .julia
  .cache/pip .cache/uv .cache/node .cache/pnpm .cache/yarn .cache/go-build .cache/ms-playwright
  .cache/puppeteer .cache/Cypress .cache/electron .cache/pre-commit
  .cache/zig .cache/deno .cache/typescript .cache/pypoetry
  .gitconfig .config/git Library/Caches/pip Library/Caches/go-build Library/pnpm`.split(/\s+/)

/** Below a home, in those folders: shown empty. */
const toolSecretFiles = `.cargo/credentials .cargo/credentials.toml .gem/credentials .bundle/config
  .config/git/credentials .nuget/NuGet/NuGet.Config .sbt/.credentials .ivy2/.credentials`.split(/\s+/)

/** State of running programs, their sockets among it; besides /run those that daemons keep elsewhere. */
const runtimeFolders = ['/run', '/var/run', '/var/lib/docker', '/var/lib/lxd', '/var/lib/mysql', '/var/spool']

/** System programs that stand below /run on some systems. */
const runtimeTools = ['/run/current-system', '/run/booted-system', '/run/systemd/resolve']

/** Real paths of what exists. `programs` are folders that programs are found in, in the form of PATH. */
export function readMachinePlaces(env: EnvironmentVariables, programs = env.PATH ?? ''): MachinePlaces {
  const home = homedir()
  const homes = outermost(realPaths([home, '/home', '/root', '/Users', '/export/home'])).filter(
    (path) => path !== '/',
  )
  const temporary = outermost(realPaths(['/tmp', '/var/tmp', tmpdir()])).filter((path) => path !== '/')
  const runtime = outermost(realPaths(runtimeFolders))
  const isHidden = (path: string) =>
    [...homes, ...temporary, ...runtime].some((dir) => path.startsWith(`${dir}/`))
  const found = programs.split(':').filter((path) => path.startsWith('/'))
  const chains = realPaths([...found, dirname(process.execPath)]).map(chainOf(home))
  const tools = realPaths([...toolFolders.map((name) => join(home, name)), ...runtimeTools, ...chains])
  return {
    homes,
    runtime,
    temporary,
    tools: outermost(tools.filter((path) => isHidden(path) && !homes.includes(path))),
    toolSecrets: realPaths(toolSecretFiles.map((name) => join(home, name))),
    own: realPaths([dataDir(env), configDir(env), cacheDir(env)]),
  }
}

/** A program's libraries: of `<chain>/bin` the chain, of `.bin` the packages around it, else the folder. */
const chainOf = (home: string) => (bin: string) => {
  const chain = dirname(bin)
  if (bin.endsWith('/node_modules/.bin')) return chain
  const isShared = [home, join(home, '.local'), '/tmp', '/'].includes(chain)
  return bin.endsWith('/bin') && !isShared && holdsLibraries(chain) ? chain : bin
}

/** A folder that is nothing but an installed tool chain. */
function holdsLibraries(dir: string): boolean {
  try {
    const names = readdirSync(dir)
    return names.length < 20 && (names.includes('lib') || names.includes('include'))
  } catch {
    return false
  }
}

/** Each once, links followed; what is not there is left out. */
function realPaths(paths: readonly string[]): string[] {
  const found = new Set<string>()
  for (const path of paths) {
    try {
      found.add(realpathSync.native(path))
    } catch {
      // a folder that this machine does not have
    }
  }
  return [...found]
}

function outermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => other !== path && path.startsWith(`${other}/`)))
}
