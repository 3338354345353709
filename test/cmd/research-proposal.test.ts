// What a model gets to propose an experiment, measured in a session of the built program.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, it, onTestFinished, vi } from 'vitest'
import { world } from '../support/anode.ts'
import { serveModel } from '../support/model-server.ts'
import { git } from '../support/repo.ts'

vi.setConfig({ testTimeout: 240_000 })

/** Tokens of the first request, as it is sent. */
const maxTokens = 2000

it('sends command, metric, checks, locked files and eight tools in a small request', async () => {
  const at = world()
  onTestFinished(() => at.remove())
  at.put('src/app.sh', 'echo 7\n# more than it takes\n')
  at.put('bench.sh', 'sh src/app.sh; echo METRIC lines=$(wc -l < src/app.sh)\n')
  at.put('check.sh', 'test "$(sh src/app.sh)" = 7\n')
  git(at.dir, 'init', '-q', '-b', 'main')
  git(at.dir, 'add', '-A')
  git(at.dir, 'commit', '-q', '-m', 'first')
  const served = await serveModel(() => ({ text: 'Remove the comment\nHypothesis: fewer bytes' }))
  onTestFinished(() => served.close())
  const providers = { me: { baseUrl: served.url, model: 'me', window: 200_000 } }
  at.put('../.config/anode/config.json', JSON.stringify({ providers, model: 'me/me' }))
  const research = (...words: string[]) => at.anode(['research', ...words])
  const begun = await research(
    ...['init', '--name', 'smaller', '--metric', 'app_bytes', '--direction', 'lower', '--skip-null-test'],
    ...[
      '--objective',
      'A smaller program',
      '--cmd',
      'sh bench.sh',
      '--checks',
      'sh check.sh',
      '--scope',
      'src',
    ],
    ...['--lock', 'bench.sh', '--lock', 'check.sh', '--measure-file', 'src/app.sh', '--guard', 'lines<=1x'],
  )
  expect(begun).toMatchObject({ code: 0 })
  await research('auto', '--policy', 'model', '--max-runs', '2', '--parallel', '1')
  const [first] = served.requests
  const { messages, tools } = first?.body ?? {}
  const names = tools.map(({ function: { name } }: { function: { name: string } }) => name)
  const eight = ['apply_patch', 'bash', 'create_file', 'edit_file', 'glob', 'grep', 'read', 'result']
  expect(names.sort()).toEqual(eight)
  const text = messages.map(({ content }: { content: string }) => content).join('\n')
  for (const part of [
    'make app_bytes lower',
    'A smaller program',
    'Benchmark: sh bench.sh',
    'app_bytes is the size of src/app.sh in bytes',
    'Checks, which must pass: sh check.sh',
    'Locked, a change makes the run fail: bench.sh, check.sh',
    'Only these may change: src',
    'Do not judge it by your own runs',
  ])
    expect(text.replaceAll(/\s+/g, ' ')).toContain(part)
  // nothing is printed twice
  const sentences = text.split(/(?<=[.!?])\s+|\n+/).filter((one: string) => one.length > 30)
  expect(sentences.filter((one: string, i: number) => sentences.indexOf(one) !== i)).toEqual([])
  const tokens = countTokens(first?.raw ?? '')
  console.log(`first request of propose: ${tokens} tokens`)
  expect(tokens).toBeLessThanOrEqual(maxTokens)
})
