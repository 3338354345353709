// The scenes of proofs, comparisons and reviewers for the terminal pictures.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type ServedReply, serveModel } from '../support/model-server.ts'
import { alwaysYes } from '../support/reviewer.ts'
import { openScreenWorld } from '../support/screen-program.ts'
import { root } from '../support/sources.ts'
import {
  cart,
  commitCart,
  configureModel,
  drawOutput,
  editCart,
  putRepository,
  usage,
} from './scene-parts.ts'

/** Changes the only test, so that it passes with the fault. */
const wrongTest: ServedReply = {
  text: 'The test is wrong. I change it.',
  calls: [
    {
      id: 'e',
      name: 'edit_file',
      args: { path: 'cart.test.js', edits: [{ old: ', 5))', new: ', -5))' }] },
    },
  ],
  usage,
}
/** Fixes the function, and restores the test. */
const fixBoth: ServedReply = {
  ...editCart,
  text: 'The original test has to pass too. I fix the function.',
  calls: [
    ...(editCart.calls ?? []),
    {
      id: 'f',
      name: 'edit_file',
      args: { path: 'cart.test.js', edits: [{ old: ', -5))', new: ', 5))' }] },
    },
  ],
}
const passes: ServedReply = { text: 'All tests pass.', usage }

/** Draws a run whose model first changes the test, and fixes the function after the check has failed. */
export async function drawProof(): Promise<string> {
  const here = openScreenWorld([])
  putRepository(here, cart)
  await configureModel(here, [wrongTest, passes, fixBoth, passes])
  const words = ['execute', 'Fix total()', '--until', 'node --test', '--approval', 'edits']
  return await drawOutput(here, words, "anode execute 'Fix total()' --until 'node --test' --approval edits")
}

/** Draws a run in which a reviewer answers the approval of the commit. */
export async function drawReviewer(): Promise<string> {
  const here = openScreenWorld([])
  putRepository(here, cart)
  const answer = (body: unknown) =>
    alwaysYes(JSON.stringify(body)).replace('asked for it', 'asked for this commit')
  const reviewer = await serveModel(({ body }) => ({ text: answer(body) }))
  onTestFinished(() => reviewer.close())
  await configureModel(here, [editCart, commitCart, { text: 'Fixed and committed.', usage }], reviewer.url)
  const words = ['execute', 'Fix total() and commit it', '--approval', 'auto']
  return await drawOutput(here, words, "anode execute 'Fix total() and commit it' --approval auto")
}

/** Draws a comparison that was measured before: its times differ from run to run. */
export async function drawCompare(): Promise<string> {
  const here = openScreenWorld([])
  putRepository(here, cart)
  const compare = (...words: string[]) => here.anode(['research', 'compare', ...words])
  // the store of the workspace exists after a comparison that needs no measurement
  const equal = JSON.parse((await compare('HEAD', 'HEAD', '--cmd', 'true', '--json')).out) as { id: string }
  const [stored = ''] = readdirSync(here.data, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith(`${equal.id}.json`),
  )
  const record = readFileSync(join(root, 'test/fixtures/proof/comparison.json'), 'utf8')
  const { id } = JSON.parse(record) as { id: string }
  writeFileSync(join(here.data, dirname(stored), `${id}.json`), record)
  const words = ['research', 'compare', 'show', id]
  return await drawOutput(here, words, "anode research compare HEAD~1 HEAD --cmd 'node work.js'")
}
