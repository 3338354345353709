// The commands by which builds were accepted, in a shell as a user types them, on a new small repository.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { program } from '../../support/anode.ts'
import { buildWorld, type PlannedTask, planText, readCheckout, renameTask } from '../../support/build.ts'
import { git } from '../../support/repo.ts'

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const w = buildWorld(ids)
afterAll(() => w.remove())
const hasJq = spawnSync('jq', ['--version']).status === 0

const agentTask = (id: string): PlannedTask => ({ id, do: `Rename in src/${id}.`, scope: [`src/${id}/**`] })
const args = (id: string) => ({
  path: `src/${id}/index.js`,
  old_str: 'oldName',
  new_str: 'newName',
  replace_all: true,
})
const edit = (id: string) => ({ calls: [{ name: 'edit_file', args: args(id) }] })
const lines = (...replies: object[]) => replies.map((reply) => `${JSON.stringify(reply)}\n`).join('')

function shell(script: string) {
  const home = join(w.dir, '..')
  const done = spawnSync('bash', ['-c', script], {
    cwd: w.dir,
    encoding: 'utf8',
    env: { PATH: `${home}:${process.env['PATH']}`, HOME: home, ANODE_DATA_DIR: w.data },
  })
  return { code: done.status, out: done.stdout, err: done.stderr }
}

const planned = planText(ids.map((id) => renameTask(id, { run: `sleep 0.5; node codemod.js src/${id}` })))
w.put('../anode', `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`)
spawnSync('chmod', ['+x', join(w.dir, '../anode')])
// a build may start with files that are not committed
w.put('plan.yaml', planned)
w.put('p.yaml', planText([agentTask('a')]))
const plan = planText([agentTask('a'), agentTask('b')])
const work = ['a', 'b'].flatMap((id) => [
  { task: id, ...edit(id) },
  { task: id, text: 'Renamed.' },
])
w.put('build.jsonl', lines({ task: 'plan', text: `\`\`\`json\n${plan}\n\`\`\`` }, ...work))
w.put('../worker.jsonl', lines(edit('a'), { text: 'Renamed.' }))
w.put('../.config/anode/config.json', JSON.stringify({ model: `script:${join(w.dir, '../worker.jsonl')}` }))
const status = git(w.dir, 'status', '--porcelain')
const before = readCheckout(w.dir)

test.runIf(hasJq)('the commands end as they have to', { timeout: 240_000 }, () => {
  const all = shell(
    `anode build --plan plan.yaml --workers 4 --json | jq -e '.end=="done" and ([.tasks[]|select(.state=="merged")]|length)==8'`,
  )
  expect([all.code, all.out], all.err).toEqual([0, 'true\n'])
  const branch = git(w.dir, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/anode').trim()
  const commits = git(w.dir, 'log', '--format=%H', `main..${branch}`).trim().split('\n')
  expect(commits).toHaveLength(8)
  for (const commit of commits) {
    const passes = `mkdir ../tree && git archive ${commit} | tar -x -C ../tree && (cd ../tree && node test/all.test.js)`
    expect(shell(`${passes}; code=$?; rm -rf ../tree; exit $code`), commit).toMatchObject({ code: 0 })
  }

  const killed = shell(
    `anode build --plan plan.yaml & until anode build status last --json | jq -e 'any(.tasks[];.state=="running")' >/dev/null; do :; done; kill -9 $!; anode build resume last --json | jq -e '.end=="done" and .repaid_steps==0'`,
  )
  expect([killed.code, killed.out.trim().split('\n').at(-1)], killed.err).toEqual([0, 'true'])

  const goal = shell('anode build "goal" --model script:build.jsonl --yes --json')
  expect(goal.code, goal.err).toBe(0)
  expect(JSON.parse(goal.out)).toMatchObject({
    end: 'done',
    tasks: [{ state: 'merged' }, { state: 'merged' }],
  })
  const foreign = shell('anode build --plan p.yaml --worker acp:anode --json')
  expect(foreign.code, foreign.err + foreign.out).toBe(0)
  expect(JSON.parse(foreign.out).tasks).toMatchObject([{ state: 'merged', worker: 'acp:anode' }])

  // the status of git below may write the index of the user
  expect(readCheckout(w.dir)).toEqual(before)
  const last = shell('anode build status last; anode build report last --format pr; git status --porcelain')
  expect(last.code, last.err).toBe(0)
  expect(last.out).toMatch(/done {2}1 of 1 merged[\s\S]*^Rename$/m)
  expect(last.out.endsWith(status)).toBe(true)
})
