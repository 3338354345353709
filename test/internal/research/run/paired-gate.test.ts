// Candidates that try to look better than they are, and gain nothing.
import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { SessionSettings } from '../../../../internal/research/settings.ts'
import { type Lab, lab, paired, refusal } from '../../../support/research.ts'
import { sampleRows } from '../../../support/sample.ts'

// every case starts dozens of git processes, and other tests may be at work
vi.setConfig({ testTimeout: 300_000 })

/** A benchmark that adds the cost printed by the program to a seed that the program should not change. */
const files = {
  'src/prog.sh': 'echo 100\n',
  'seed.txt': '0\n',
  'README.md': '',
  '.auto/measure.sh': 'cost=$(bash src/prog.sh)\necho "METRIC ms=$((cost + $(cat seed.txt)))"\n',
}

const settings: SessionSettings = { ...paired, skipNullTest: true, scope: ['src'], minEffect: 0.05 }

interface Trick {
  what: string
  over?: Partial<SessionSettings>
  play(at: Lab): void
  ends: { status: string; reason: string; detail?: unknown; outside?: unknown; leaked?: unknown }
}

const tricks: Trick[] = [
  {
    what: 'edits the benchmark',
    play: (at) => at.put('.auto/measure.sh', 'echo METRIC ms=1\n'),
    ends: { status: 'crash', reason: 'lock_violation', detail: '.auto/measure.sh' },
  },
  {
    what: 'puts a link in the place of the benchmark',
    play: (at) => {
      at.put('.auto/mine.sh', at.read('.auto/measure.sh'))
      rmSync(join(at.dir, '.auto', 'measure.sh'))
      symlinkSync('mine.sh', join(at.dir, '.auto', 'measure.sh'))
    },
    ends: { status: 'crash', reason: 'lock_violation' },
  },
  {
    what: 'edits the benchmark while it runs',
    play: (at) =>
      at.put(
        'src/prog.sh',
        'chmod +w .auto/measure.sh; echo echo METRIC ms=1 > .auto/measure.sh; echo 100\n',
      ),
    ends: { status: 'crash', reason: 'lock_violation', detail: '.auto/measure.sh' },
  },
  {
    what: 'writes outside of its scope',
    play: (at) => {
      at.put('src/prog.sh', 'echo 50\n')
      at.put('README.md', 'faster\n')
    },
    ends: { status: 'checks_failed', reason: 'scope', outside: ['README.md'] },
  },
  {
    what: 'adds a file outside of its scope',
    play: (at) => at.put('other/x', ''),
    ends: { status: 'checks_failed', reason: 'scope', outside: ['other/x'] },
  },
  {
    what: 'moves a file out of its scope',
    play: (at) => at.git('mv', 'src/prog.sh', 'prog.sh'),
    ends: { status: 'checks_failed', reason: 'scope', outside: ['prog.sh'] },
  },
  {
    what: 'links out of its scope',
    play: (at) => symlinkSync('../seed.txt', join(at.dir, 'src', 'link')),
    ends: { status: 'checks_failed', reason: 'scope', outside: ['src/link'] },
  },
  {
    what: 'steers git',
    play: (at) => at.put('src/.gitattributes', '* binary\n'),
    ends: { status: 'checks_failed', reason: 'scope', outside: ['src/.gitattributes'] },
  },
  {
    what: 'prints a second primary metric',
    play: (at) => at.put('src/prog.sh', 'echo METRIC ms=1 >&2; echo 100\n'),
    ends: { status: 'crash', reason: 'ambiguous_metric' },
  },
  {
    what: 'prints the metric itself where only the nonce counts',
    over: {
      strictMetrics: true,
      command: 'bash src/prog.sh; echo "METRIC@$ANODE_METRIC_NONCE ms=100"',
    },
    play: (at) => at.put('src/prog.sh', 'echo METRIC ms=1\n'),
    ends: { status: 'discard', reason: 'below_min_effect' },
  },
  {
    what: 'changes the seed',
    play: (at) => at.put('seed.txt', '-90\n'),
    ends: { status: 'checks_failed', reason: 'scope', outside: ['seed.txt'] },
  },
  {
    what: 'changes a seed that is locked',
    over: { scope: [], lock: ['*.txt'] },
    play: (at) => at.put('seed.txt', '-90\n'),
    ends: { status: 'crash', reason: 'lock_violation', detail: 'seed.txt' },
  },
  {
    what: 'changes the seed while it runs',
    over: { lock: ['seed.txt'] },
    play: (at) => at.put('src/prog.sh', 'chmod +w seed.txt; echo -90 > seed.txt; echo 100\n'),
    ends: { status: 'crash', reason: 'lock_violation', detail: 'seed.txt' },
  },
  {
    what: 'leaves a daemon behind that would answer the next time',
    play: (at) => at.put('src/prog.sh', 'setsid sleep 987 >/dev/null 2>&1 &\necho 100\n'),
    ends: { status: 'discard', reason: 'below_min_effect', leaked: 2 },
  },
  {
    what: 'caches its result in the checkout',
    play: (at) => at.put('src/prog.sh', 'test -e src/cache && echo 1 || { touch src/cache; echo 100; }\n'),
    ends: { status: 'discard', reason: 'below_min_effect' },
  },
  {
    what: 'caches its result in HOME and TMPDIR',
    play: (at) =>
      at.put(
        'src/prog.sh',
        'for d in "$HOME" "$TMPDIR"; do test -e "$d/cache" && { echo 1; exit; }; touch "$d/cache"; ' +
          'done; echo 100\n',
      ),
    ends: { status: 'discard', reason: 'below_min_effect' },
  },
  {
    what: 'changes itself back after the first run',
    play: (at) => at.put('src/prog.sh', 'echo "echo 1" > src/prog.sh; echo 100\n'),
    ends: { status: 'discard', reason: 'below_min_effect' },
  },
  {
    what: 'is too good to be true',
    play: (at) => at.put('src/prog.sh', 'echo 1\n'),
    ends: { status: 'discard', reason: 'implausible' },
  },
  {
    what: 'claims infinity',
    play: (at) => at.put('src/prog.sh', 'echo METRIC ms=-Infinity >&2; echo 100\n'),
    ends: { status: 'crash', reason: 'no_metric' },
  },
  {
    what: 'breaks a guard',
    over: { guards: ['size<=10'], command: 'bash .auto/measure.sh; echo METRIC size=$(wc -c < src/prog.sh)' },
    play: (at) => at.put('src/prog.sh', 'echo 50 # quite long\n'),
    ends: { status: 'discard', reason: 'guard:size' },
  },
  {
    what: 'fails the holdout',
    over: { holdout: 'test "$(bash $ANODE_CANDIDATE/src/prog.sh)" != 50' },
    play: (at) => at.put('src/prog.sh', 'echo 50\n'),
    ends: { status: 'discard', reason: 'holdout' },
  },
  {
    what: 'fails the checks',
    over: { checks: 'test "$(bash src/prog.sh)" != 50' },
    play: (at) => at.put('src/prog.sh', 'echo 50\n'),
    ends: { status: 'checks_failed', reason: 'checks' },
  },
]

it.each(sampleRows(tricks, 5))('gains nothing: $what', { timeout: 60_000 }, async ({ over, play, ends }) => {
  const at = lab(files)
  const research = await at.open()
  await research.init({ ...settings, ...over })
  expect(await research.run()).toMatchObject({ status: 'baseline', metric: 100 })
  await research.log({ status: 'baseline' })
  const head = at.git('rev-parse', 'HEAD')
  play(at)
  expect(await research.run()).toMatchObject(ends)
  expect(await refusal(research.log({ status: 'keep' }))).toMatch(/^(failed_run_not_keepable|checks_failed)$/)
  expect((await research.state()).active?.best?.run).toBe(1)
  expect(at.git('rev-parse', 'HEAD')).toBe(head)
  expect(sleepers()).toEqual([])
})

it('keeps the same change when it is honest', async () => {
  const at = lab(files)
  const research = await at.open()
  const holdout = 'test "$(bash $ANODE_CANDIDATE/src/prog.sh)" = 50'
  const command = 'bash .auto/measure.sh; echo METRIC size=$(wc -c < src/prog.sh)'
  await research.init({ ...settings, command, holdout, guards: ['size<=1.02x'] })
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('src/prog.sh', 'echo 50\n')
  expect(await research.run()).toMatchObject({ status: 'keep', reason: 'deterministic', holdout: 'ok' })
  expect((await research.log({ status: 'keep' })).commit).not.toBe(null)
})

it('keeps the output of the holdout out of all results', async () => {
  const at = lab(files)
  const research = await at.open()
  await research.init({ ...settings, holdout: 'echo secret words; false' })
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('src/prog.sh', 'echo 50\n')
  const ran = await research.run()
  const { line } = await research.log({ status: 'discard' })
  expect(JSON.stringify([ran, line, at.read('.auto/log.jsonl')])).not.toContain('secret')
})

it('tries each tree only once', async () => {
  const at = lab({
    ...files,
    '.auto/measure.sh': 'echo "METRIC ms=$(($(bash src/prog.sh) + RANDOM % 5))"\n',
  })
  const research = await at.open()
  await research.init(settings)
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('src/prog.sh', 'echo 100 # nothing new\n')
  const first = await research.run()
  expect(first.status, `${first.reason}: ${first.detail}`).toBe('discard')
  await research.log({ status: 'discard', restore: false })
  const again = await research.run({ seed: 99 })
  expect(again).toMatchObject({
    status: 'discard',
    reason: first.reason,
    detail: 'the same tree as run 2, whose verdict still applies',
  })
})

it('offers an equal and smaller candidate to a user, and does not keep it automatically', async () => {
  const at = lab({ ...files, 'src/prog.sh': 'echo 100\n# says no more\n' })
  const research = await at.open()
  await research.init(settings)
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('src/prog.sh', 'echo 100\n')
  const smaller = { status: 'discard', reason: 'below_min_effect', offer: 'simpler' }
  expect(await research.run()).toMatchObject(smaller)
  await research.log({ status: 'discard' })
  at.put('src/prog.sh', 'echo 100\n# says no more\n# but longer\n')
  const larger = await research.run()
  expect([larger.reason, larger.offer]).toEqual(['below_min_effect', undefined])
})

/** Returns the processes of the daemon that one candidate starts. */
function sleepers(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) && readFileSync(join('/proc', pid, 'cmdline'), 'utf8').includes('sleep\u0000987')
      )
    } catch {
      return false
    }
  })
}
