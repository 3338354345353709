// Preloaded into the program: kills the process right before the journal of a build stores an entry.
// ANODE_TEST_KILL has the kind of the entry and its number, as in "merged 2".
const [kind, count] = (process.env.ANODE_TEST_KILL ?? '').split(' ')
// the commands of the build start without this file, which their sandbox may not have
delete process.env.NODE_OPTIONS

/** The keys of each entry: those of `only` and no others, or at least those of `all`. */
const shapes = {
  plan: { only: ['plan'] },
  leader: { only: ['host', 'pid'] },
  'task.started': { all: ['worktree', 'attempt', 'worker'] },
  step: { all: ['n', 'exit', 'output'] },
  proof: { all: ['receipt', 'where'] },
  result: { all: ['base', 'commit', 'patch', 'attempt'] },
  queued: { only: ['attempt', 'task'] },
  'merge.started': { only: ['commit', 'task', 'tip'] },
  merged: { all: ['tip', 'commit', 'files'] },
  reopened: { all: ['why', 'attempt', 'patch'] },
  'task.ended': { only: ['detail', 'patch', 'task', 'why'] },
  'build.ended': { only: ['detail', 'end'] },
}

function isEntry(value) {
  const shape = shapes[kind]
  if (shape === undefined || value === null || typeof value !== 'object' || Array.isArray(value)) return false
  const { only, all } = shape
  return only ? Object.keys(value).sort().join() === only.join() : all.every((key) => key in value)
}

let seen = 0
const stringify = JSON.stringify
JSON.stringify = (value, ...rest) => {
  if (isEntry(value) && ++seen === Number(count)) process.kill(process.pid, 'SIGKILL')
  return stringify(value, ...rest)
}
