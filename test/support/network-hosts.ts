// Hosts on this machine: each has its own network, name and process numbers. One of them has links to all others.
import { execFileSync, spawnSync } from 'node:child_process'

export interface NetworkHost {
  /** Program and arguments that start a command on this host. */
  readonly through: readonly string[]
  /** Address of the center for this host. */
  readonly center: string
  /** Cuts or restores the link to the center. */
  link(state: 'up' | 'down'): void
}

const ip = (...words: string[]) => execFileSync('ip', words, { stdio: 'pipe' })

const isolate = ['--uts', '--pid', '--fork', '--kill-child', '--mount-proc']

/** Reason why hosts cannot be created here; undefined if they can. */
export function missingHosts(): string | undefined {
  const name = `an-try-${process.pid}`
  const isMade = spawnSync('ip', ['netns', 'add', name]).status === 0
  const words = ['netns', 'exec', name, 'unshare', ...isolate, 'true']
  const runs = isMade && spawnSync('ip', words).status === 0
  spawnSync('ip', ['netns', 'del', name])
  return runs ? undefined : 'network namespaces are needed (as root, with iproute2 and util-linux)'
}

/** Creates a center and hosts with these names. Hosts reach the center only. */
export function createHosts(names: readonly string[]) {
  const base = `an${process.pid}`
  const center = `${base}-c`
  ip('netns', 'add', center)
  ip('-n', center, 'link', 'set', 'lo', 'up')
  const hosts = names.map((name, i): NetworkHost => {
    const space = `${base}-${i}`
    const [inner, outer] = [`v${process.pid}i${i}`, `v${process.pid}o${i}`]
    ip('netns', 'add', space)
    ip('link', 'add', outer, 'netns', center, 'type', 'veth', 'peer', 'name', inner, 'netns', space)
    const net = `10.${(process.pid >> 8) & 255}.${i}`
    for (const [place, link, address] of [
      [center, outer, `${net}.1/30`],
      [space, inner, `${net}.2/30`],
    ] as const) {
      ip('-n', place, 'address', 'add', address, 'dev', link)
      ip('-n', place, 'link', 'set', link, 'up')
    }
    ip('-n', space, 'link', 'set', 'lo', 'up')
    const named = ['unshare', ...isolate, 'sh', '-c', `hostname ${name} && exec "$@"`, 'sh']
    return {
      through: ['ip', 'netns', 'exec', space, ...named],
      center: `${net}.1`,
      link: (state) => void ip('-n', space, 'link', 'set', inner, state),
    }
  })
  return {
    hosts,
    through: ['ip', 'netns', 'exec', center],
    remove() {
      for (const space of [center, ...names.map((_, i) => `${base}-${i}`)])
        spawnSync('ip', ['netns', 'del', space])
    },
  }
}
