// What an agent that proposes can reach: a scripted model that tries everything it should not.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createExperimenter } from '../../../../internal/service/research/experimenter.ts'
import { readUsage } from '../../../../internal/service/threads/usage-report.ts'
import { repoWith } from '../../../support/repo.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

const call = (name: string, args: Record<string, unknown>) =>
  JSON.stringify({ task: 'experiment 2', calls: [{ name, args }] })

async function propose(lines: readonly string[], locked: readonly string[] = []) {
  const home = scratch()
  const cwd = scratchWith({ 'model.jsonl': lines.join('\n') })
  const dir = repoWith({
    'flags.txt': '-O0\n',
    'bench.c': 'int main;\n',
    '.auto/measure.sh': 'echo METRIC a=1\n',
  })
  const agent = createExperimenter({
    env: {
      PATH: process.env.PATH,
      HOME: home,
      ANODE_DATA_DIR: join(home, 'data'),
      XDG_CONFIG_HOME: join(home, 'config'),
    },
    cwd,
    model: 'script:model.jsonl',
    caps: {},
    timeoutMs: 60_000,
    note: () => undefined,
  })
  const end = await agent({
    dir,
    prompt: 'go',
    title: 'experiment 2',
    locked,
    signal: new AbortController().signal,
  })
  return { dir, home, end, read: (path: string) => readFileSync(join(dir, path), 'utf8') }
}

const say = JSON.stringify({ task: 'experiment 2', text: 'Use -O2\nHypothesis: faster' })

it('edits in the worktree without asking, and its last words come back', async () => {
  const at = await propose([
    call('read', { path: 'flags.txt' }),
    call('edit_file', { path: 'flags.txt', edits: [{ old: '-O0', new: '-O2' }] }),
    call('apply_patch', { patch: '*** Begin Patch\n*** Add File: notes/new.txt\n+x\n*** End Patch\n' }),
    say,
  ])
  expect(at.read('flags.txt')).toBe('-O2\n')
  expect(at.read('notes/new.txt')).toBe('x\n')
  expect(at.end).toMatchObject({ end: 'done', text: 'Use -O2\nHypothesis: faster' })
  expect(at.end.cost.tokens).toBeGreaterThan(0)
  const { groups } = await readUsage({ ANODE_DATA_DIR: join(at.home, 'data') }, { by: 'thread' })
  expect(groups.map(({ title, requests }) => [title, requests])).toEqual([
    ['experiments of research auto', 4],
  ])
})

it('cannot change what judges, nor anything outside, nor measure by itself', async () => {
  const outside = join(scratch(), 'out.txt')
  const at = await propose(
    [
      call('create_file', { path: '.auto/measure.sh', content: 'echo METRIC a=0\n' }),
      call('edit_file', { path: '.auto/measure.sh', edits: [{ old: 'a=1', new: 'a=0' }] }),
      call('bash', { command: 'echo METRIC a=0 > .auto/measure.sh' }),
      call('create_file', { path: 'bench.c', content: 'int x;\n' }),
      call('bash', { command: 'cp flags.txt bench.c' }),
      call('create_file', { path: outside, content: 'x' }),
      call('bash', { command: `cp flags.txt ${outside}` }),
      call('init_experiment', { name: 'x', primary_metric: 'a', direction: 'lower', reset: true }),
      call('run_experiment', {}),
      call('log_experiment', { status: 'keep' }),
      say,
    ],
    ['bench.c'],
  )
  expect(at.read('.auto/measure.sh')).toBe('echo METRIC a=1\n')
  expect(at.read('bench.c')).toBe('int main;\n')
  expect(existsSync(outside)).toBe(false)
  expect(existsSync(join(at.dir, '.auto/log.jsonl'))).toBe(false)
  expect(existsSync(join(at.home, 'data/research'))).toBe(false)
  expect(at.end.end).toBe('done')
})

it('says when the model has nothing more to say', async () => {
  const at = await propose([call('read', { path: 'flags.txt' })])
  expect(at.end).toMatchObject({ end: 'failed', reason: expect.stringContaining('script_exhausted') })
})
