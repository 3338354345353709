// Preloaded into the program: at its end, writes to the file of ANODE_TEST_TIMERS the milliseconds for which
// nothing but a timer kept the process alive, and the delays of these timers.
const { writeFileSync } = require('node:fs')
const { createHook } = require('node:async_hooks')
const file = process.env.ANODE_TEST_TIMERS
// only the program itself is watched
delete process.env.NODE_OPTIONS
delete process.env.ANODE_TEST_TIMERS

const timers = new Map()
createHook({
  init(id, type, _, timer) {
    if (type === 'Timeout') timers.set(id, timer)
  },
  destroy: (id) => timers.delete(id),
}).enable()

let since
let delays = []
/** The standard streams keep no process alive. */
const passive = new Set(['PipeWrap', 'TTYWrap'])
setInterval(() => {
  const active = process.getActiveResourcesInfo().filter((name) => !passive.has(name))
  if (active.length === 0 || active.some((name) => name !== 'Timeout')) {
    since = undefined
    return
  }
  since ??= performance.now()
  delays = [...timers.values()].filter((timer) => timer.hasRef()).map((timer) => timer._idleTimeout)
}, 5).unref()
process.on('exit', () => {
  const ms = since === undefined ? 0 : Math.round(performance.now() - since)
  writeFileSync(file, JSON.stringify({ ms, delays }))
})
