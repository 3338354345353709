// Runs a sample of the tests of long files, so that `npm test` ends within ten minutes on two processors.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type {
  RunnerTestSuite as Suite,
  RunnerTask as Task,
  RunnerTestCase as Test,
  RunnerTestFile as TestFile,
} from 'vitest'
import { TestRunner } from 'vitest'
import { root } from './support/sources.ts'
import { sampleTests } from './support/test-sample.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Whether the test does not run because it is outside of the sample. */
    leftOut?: boolean
  }
}

/** Seconds that the test files take which take longest, by path. */
const times = JSON.parse(readFileSync(join(root, 'test', 'times.json'), 'utf8')) as Record<string, number>

class SampleRunner extends TestRunner {
  /** Marks the tests outside of the sample as skipped. */
  onBeforeRunFiles(files: readonly TestFile[]): void {
    const seed = process.env.ANODE_SAMPLE
    if (seed === undefined) return
    for (const file of files) {
      const seconds = times[relative(root, file.filepath)]
      if (seconds === undefined) continue
      const tests = runningTests(file)
      const kept = new Set(sampleTests(tests, seconds, Number(seed)))
      for (const test of tests) if (!kept.has(test)) leaveOut(test)
    }
  }
}

function runningTests(suite: Suite): Test[] {
  return suite.tasks.flatMap((task) => {
    if (task.type === 'suite') return runningTests(task)
    return isRunning(task) ? [task] : []
  })
}

const isRunning = ({ mode }: Task) => mode === 'run' || mode === 'queued'

function leaveOut(test: Test): void {
  test.mode = 'skip'
  test.result = { state: 'skip' }
  test.meta.leftOut = true
}

// biome-ignore lint/style/noDefaultExport: vitest loads a runner by its default export
export default SampleRunner
