// A small Anode for fault tests: runs one shell script through the runner and prints how it ended and what it cost.
import { createJobBoard } from '../../internal/process/background-jobs.ts'
import { createRunner } from '../../internal/process/run-command.ts'

const [dataDir = '', script = '', timeout = '600000', keepBytes = '1048576', mode] = process.argv.slice(2)
const runner = createRunner({ dataDir, env: process.env })
process.stdout.write('ready\n')
if (mode === 'job') {
  const board = createJobBoard(runner.run, async () => undefined)
  const command = { file: 'bash', args: ['-c', script], cwd: dataDir }
  board.start({ line: script, command, call: 'call_1' })
  await new Promise(() => undefined)
}
const { stdout, stderr, combined, whole, ...rest } = await runner.run({
  file: 'bash',
  args: ['-c', script],
  cwd: dataDir,
  timeoutMs: Number(timeout),
  keepBytes: Number(keepBytes),
  whole: true,
})
let text = 0
let lines = 0
for await (const part of whole?.text() ?? []) {
  text += part.length
  lines += part.split('\n').length - 1
}
const told = {
  ...rest,
  out: stdout.bytes,
  err: stderr.bytes,
  kept: combined.text.length,
  invalid: stdout.invalid,
}
const cost = { maxRssKiB: process.resourceUsage().maxRSS }
process.stdout.write(
  `${JSON.stringify({ ...told, whole: whole && { bytes: whole.bytes, cut: whole.cut, text, lines }, ...cost })}\n`,
)
await runner.close()
