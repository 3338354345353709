// `npm run bench:build`: builds compared with the goals of their design. Needs no key: tasks are commands, or
// agents with scripted responses. Prints a table and writes test/bench/build.json, or the file of BENCH_OUT.
// With BENCH_SHORT=1 it runs a few tasks in small repositories, which shows only that it measures.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureKills } from './build-kills.mjs'
import { measureAgents, measureCommands, measureCost } from './build-runs.mjs'
import { writeRows } from './measure.mjs'

const home = mkdtempSync(join(tmpdir(), 'anode-bench-build-'))
const isShort = process.env.BENCH_SHORT === '1'
const sizes = isShort
  ? { commands: 3, agents: 1, kills: 2, files: 100 }
  : { commands: 8, agents: 8, kills: 20, files: 5000 }
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`

const count = (what, floor, ours, goal, met) => ({ what, floor, ours, ratio: '-', goal, met })

/** The floor is what git alone needs for the files of the worktrees. */
function aboveGit(what, floor, ours, limit, text = (ms) => `${ms.toFixed(0)} ms`) {
  const ratio = (ours / floor).toFixed(2)
  return { what, floor: text(floor), ours: text(ours), ratio, goal: `<= ${text(limit)}`, met: ours <= limit }
}

function mergeRow({ count: tasks, pairs, merged, overlaps, isOrdered, conflicts }) {
  const text = `${merged} merged, ${overlaps} at once, ${conflicts} reopened`
  const met = merged === tasks && overlaps === 0 && isOrdered
  const what = `${tasks} tasks, 4 workers, pairs in conflict: ${pairs}`
  return count(what, '-', text, `${tasks} merged, 0 at once, in order`, met)
}

function killRow({ count: places, resumed, repaid, worktrees }) {
  const text = `${resumed} resumed, ${repaid} steps paid twice, ${worktrees} worktrees left`
  const met = resumed === places && repaid === 0 && worktrees === 0
  return count(`kill -9, places: ${places}`, '-', text, `${places} resumed, 0 paid twice, 0 left`, met)
}

function wallRow({ count: agents, wall, bound, checks }) {
  const limit = 1.3 * bound + checks
  return {
    what: `agents of 3 to 6 s: ${agents}, 4 workers: wall time`,
    floor: seconds(bound),
    ours: seconds(wall),
    ratio: (wall / bound).toFixed(2),
    goal: `<= ${seconds(limit)} (1.3 x floor, and its checks)`,
    met: wall <= limit,
  }
}

try {
  const commands = await measureCommands(home, sizes.commands)
  const kills = await measureKills(home, sizes.kills)
  const agents = await measureAgents(home, sizes.agents)
  const cost = await measureCost(home, sizes.files)
  const changed = [...commands.changed, ...kills.changed, ...agents.changed, ...cost.changed]
  const isSame = changed.length === 0
  const files = sizes.files.toLocaleString('en-US')
  const refs = [...commands.refs, ...agents.refs, ...cost.refs]
  writeRows('build.json', 1, [
    mergeRow(commands),
    killRow(kills),
    wallRow(agents),
    aboveGit(`CPU of a task, ${files} files`, cost.floor.cpu, cost.cpu, 1000, seconds),
    aboveGit(`start of a worker, ${files} files`, cost.floor.start, cost.start, 300),
    count('checkout of the user', '-', isSame ? 'same bytes' : changed.join(' '), 'same bytes', isSame),
    count('new references', '-', refs.length, '1 of each build', refs.length === 3),
  ])
} finally {
  rmSync(home, { recursive: true, force: true })
}
