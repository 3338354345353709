// grep and glob over 50,000 files, compared with ripgrep. Ours may take two starts of Node more.
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, once } from './measure.mjs'
import { plant } from './tree.mjs'

const require = createRequire(import.meta.url)
const rg = require.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`)
const files = Number(process.env.BENCH_FILES ?? 50_000)

/** Measured cases: our arguments, and those of ripgrep for the same files. */
const cases = [
  ['grep, a rare word', ['grep', 'pattern=needle'], ['-i', '-F', 'needle']],
  ['grep, nothing found', ['grep', 'pattern=absent word'], ['-i', '-F', 'absent word'], 1],
  ['grep, one kind of file', ['grep', 'pattern=needle', 'glob=*.go'], ['-i', '-F', 'needle', '-t', 'go']],
  ['glob **/*.ts', ['glob', 'pattern=**/*.ts'], ['--files']],
  ['glob **/policy*/**/*.{ts,go}', ['glob', 'pattern=**/policy*/**/*.{ts,go}'], ['--files']],
]

/** Returns the rows for `npm run bench`. The three commands of a case run in turn. */
export async function searchRows({ anode, runs, home }) {
  const cwd = mkdtempSync(join(tmpdir(), 'anode-tree-'))
  try {
    plant(cwd, files)
    const rows = []
    for (const [what, args, native, exit = 0] of cases) rows.push(await row(what, args, native, exit))
    return rows
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }

  async function row(what, [tool, ...args], native, exit) {
    const node = { cmd: [process.execPath, '-e', '0'], cwd }
    const floor = { cmd: [rg, '--no-config', '--no-require-git', ...native, './'], cwd, exit }
    const given = args.flatMap((arg) => ['--arg', arg])
    const ours = { cmd: [...anode, 'tools', 'use', tool, ...given], cwd }
    const times = { node: [], floor: [], ours: [] }
    for (let i = -1; i < runs; i++) {
      const one = {
        node: await once(node, home),
        floor: await once(floor, home),
        ours: await once(ours, home),
      }
      if (i >= 0) for (const key of Object.keys(times)) times[key].push(one[key])
    }
    const [bare, base, mine] = [median(times.node), median(times.floor), median(times.ours)]
    const over = (mine - base) / bare
    return {
      what: `${what}, ${files.toLocaleString('en-US')} files`,
      floor: `rg ${base.toFixed(0)} ms`,
      ours: `${mine.toFixed(0)} ms`,
      ratio: `rg + ${over.toFixed(2)} x node`,
      goal: '<= rg + 2 x node',
      met: over <= 2,
    }
  }
}
