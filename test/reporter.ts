// Ends a test run with one plain line that a script can read: `N passed, N failed, N skipped`. A line before it
// has the number of tests outside of the sample, which are not counted as skipped. With ANODE_TIMES, the times of
// long files are stored.
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { countNoun } from '../internal/base/text/count-noun.ts'
import { root } from './support/sources.ts'
import { secondsOfFile } from './support/test-sample.ts'

class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    let leftOut = 0
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (test.meta().leftOut) leftOut++
        else count[test.result().state]++
      }
      if (module.errors().length > 0) count.failed++
    }
    const { passed, failed, skipped } = count
    if (leftOut > 0)
      console.log(
        `sample ${process.env.ANODE_SAMPLE}: ${countNoun(leftOut, 'test')} of long files did not run; ` +
          '`npm run test:all` runs them',
      )
    if (process.env.ANODE_TIMES) storeTimes(modules)
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
}

/** Writes the seconds of each file that takes longer than a sample, sorted by path. */
function storeTimes(modules: readonly TestModule[]): void {
  const times = modules
    .map((module) => [relative(root, module.moduleId), module.diagnostic().duration / 1000] as const)
    .filter(([, seconds]) => seconds > secondsOfFile)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, seconds]) => [path, Math.round(10 * seconds) / 10])
  writeFileSync(join(root, 'test', 'times.json'), `${JSON.stringify(Object.fromEntries(times), null, 2)}\n`)
}

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export
export default Tally
