// Ends a test run with one plain line that a script can read: `N passed, N failed, N skipped`. A line before it
// has the number of tests outside of the sample, which are not counted as skipped.
import type { Reporter, TestModule } from 'vitest/node'
import { countNoun } from '../internal/base/text/count-noun.ts'

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
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
}

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export
export default Tally
