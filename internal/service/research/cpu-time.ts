// Measurement of the processor time of a command, for benchmarks in shell scripts.
import { dataDir } from '../../base/dirs.ts'
import { createRunner } from '../../process/run-command.ts'
import { type CpuTiming, timeCpu } from '../../research/measure/cpu-time.ts'

interface CpuOptions {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  show(chunk: Uint8Array, stream: 'stdout' | 'stderr'): void
}

/** Runs a command and returns its processor time. The command gets the complete environment of the caller. */
export async function measureCpuTime(
  words: readonly string[],
  { cwd, env, signal, show }: CpuOptions,
): Promise<CpuTiming> {
  const runner = createRunner({ dataDir: dataDir(env), env })
  try {
    const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return await timeCpu(runner.run, words, {
      cwd,
      env: Object.fromEntries(defined),
      signal,
      onOutput: show,
    })
  } finally {
    await runner.close()
  }
}
