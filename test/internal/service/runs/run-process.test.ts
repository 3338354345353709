// The process of a run that gets the order to end while it still starts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { RunReply } from '../../../../internal/service/runs/run-order.ts'
import { serveRunProcess } from '../../../../internal/service/runs/run-process.ts'
import { scratchWith } from '../../../support/scratch.ts'

it('ends a run that waits for an answer if the signal aborted before the run began', async () => {
  const cwd = scratchWith({})
  const home = scratchWith({})
  const file = join(home, 'replies.jsonl')
  const call = { name: 'create_file', args: { path: 'made.txt', content: 'x\n' } }
  writeFileSync(file, `${JSON.stringify({ calls: [call] })}\n`)
  const replies: RunReply['kind'][] = []
  await serveRunProcess(
    {
      ...{ cwd, addDirs: [], source: { kind: 'new' }, message: 'Make it' },
      settings: { model: `script:${file}`, mode: 'ask' },
    },
    {
      env: { PATH: process.env.PATH, HOME: home, ANODE_DATA_DIR: join(home, 'data') },
      signal: AbortSignal.abort(),
      reply: ({ kind }) => void replies.push(kind),
    },
  )
  expect(replies).toEqual(['started'])
})
