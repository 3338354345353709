// Ends a test run with one plain line that a script can read: `N passed, N failed, N skipped, N at the second attempt`.
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { root } from './support/sources.ts'

class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    const flaky: TestCase[] = []
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        count[test.result().state]++
        if (test.diagnostic()?.flaky) flaky.push(test)
      }
      if (module.errors().length > 0) count.failed++
    }
    for (const test of flaky) console.log(describeFlaky(test))
    const { passed, failed, skipped } = count
    console.log(
      `${passed} passed, ${failed} failed, ${skipped} skipped, ${flaky.length} at the second attempt`,
    )
  }
}

/** Where the test is, and in one line what it failed with first. */
function describeFlaky(test: TestCase): string {
  const [why = ''] = test.result().errors?.[0]?.message.split('\n') ?? []
  return `at the second attempt: ${relative(root, test.module.moduleId)} > ${test.fullName}: ${why}`
}

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export
export default Tally
