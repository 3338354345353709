// Ends a test run with one plain line that a script can read: `N passed, N failed, N skipped`.
import type { Reporter, TestModule } from 'vitest/node'

class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++
      if (module.errors().length > 0) count.failed++
    }
    const { passed, failed, skipped } = count
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
}

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export
export default Tally
