// Data of the judge without namespaces: if a candidate changes any of it, the run is a crash and not a keep.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { writePendingRuns } from '../../../../internal/research/ledger/pending-runs.ts'
import { changedJudgeData, readJudgeData } from '../../../../internal/research/measure/judge-data.ts'
import { recoverRuns } from '../../../../internal/research/outcome/crash-recovery.ts'
import type { SessionSettings } from '../../../../internal/research/settings.ts'
import {
  openExperimentWorkspace,
  queueRecordWrite,
  withActiveSession,
} from '../../../../internal/research/workspace/experiment-workspace.ts'
import { env, lab, noisyMeasure, paired, refusal } from '../../../support/research.ts'
import { run } from '../../../support/run.ts'
import { sampleRows } from '../../../support/sample.ts'
import { quoteWord } from '../../../support/shell-word.ts'

vi.setConfig({ testTimeout: 120_000 })

const files = {
  'src/prog.sh': 'echo 100\n',
  '.auto/measure.sh': noisyMeasure,
}

const settings: SessionSettings = {
  ...paired,
  isolate: 'off',
  skipNullTest: true,
  scope: ['src'],
  minEffect: 0.05,
  holdout: 'true # nothing',
}

/** Commands of a program that knows everything. `$DATA` is the data directory. */
const tricks: [string, string][] = [
  [
    'the other checkout, found by looking for it',
    'chmod -R u+rwx "$DATA/checkouts"; for f in $(find "$DATA/checkouts" -name prog.sh); do [ "$f" -ef ' +
      'src/prog.sh ] || echo "echo 200" > "$f"; done',
  ],
  [
    'the other checkout, with its times put back',
    'for f in $(find "$DATA/checkouts" -name prog.sh); do [ "$f" -ef src/prog.sh ] || { touch -r "$f" ' +
      't; echo "echo 900" > "$f"; touch -r t "$f"; rm t; }; done',
  ],
  [
    'the other checkout, replaced as a folder',
    'for d in "$DATA"/checkouts/*/*/; do [ "$d/src" -ef src ] || { [ -d "$d/src" ] && cp -a "$d" ' +
      '"$d/../x" && rm -rf "$d" && mv "$d/../x" "$d"; }; done',
  ],
  [
    'a file more in the other checkout',
    'for d in "$DATA"/checkouts/*/*/src; do [ "$d" -ef src ] || touch "$d/more"; done',
  ],
  ['the ledger', 'for f in "$DATA"/research/*/*/ledger.jsonl; do echo >> "$f"; done'],
  ['the ledger, with a line less', 'for f in "$DATA"/research/*/*/ledger.jsonl; do sed -i "\\$d" "$f"; done'],
  ['the open run', 'for f in "$DATA"/research/*/*/pending.json; do sed -i s/running/measured/ "$f"; done'],
  ['the lock', 'for f in "$DATA"/research/*/*/lock.json; do echo "{}" > "$f"; done'],
  [
    'a sealed script',
    'for f in $(find "$DATA"/research -path "*sealed*" -name measure.sh); do chmod +w "$f"; echo "echo ' +
      'METRIC ms=1" > "$f"; done',
  ],
  ['a file more among the sealed', 'for d in "$DATA"/research/*/*/sealed/*/files; do touch "$d/more"; done'],
  ['the holdout', 'for f in "$DATA"/holdouts/*; do echo true > "$f"; done'],
]

it.each(sampleRows(tricks, 5))('ends as a broken lock when a candidate changes %s', async (_, trick) => {
  const at = lab(files)
  const research = await at.open()
  await research.init(settings)
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('src/prog.sh', `IFS=$'\\n'\nDATA=${quoteWord(at.data)}\n{ ${trick}; } >/dev/null 2>&1\necho 50\n`)
  const ran = await research.run().catch((error: Error) => ({ status: 'refused', reason: error.message }))
  if (ran.status !== 'refused') expect(ran).toMatchObject({ status: 'crash', reason: 'lock_violation' })
  expect(await refusal(research.log({ status: 'keep' }))).not.toBe('nothing')
})

it('is in no directory that a checkout can find from its path', async () => {
  const at = lab(files)
  const research = await at.open()
  await research.init(settings)
  await research.run()
  await research.log({ status: 'baseline' })
  at.put(
    'src/prog.sh',
    'for up in .. ../.. ../../..; do ls -A $up; cat $up/holdout* $up/../arm00/src/prog.sh ' +
      '$up/arm00/src/prog.sh; done 2>/dev/null | grep -c "nothing\\|echo 100" | sed "s/^/found=/" ' +
      '>&2\necho 100\n',
  )
  const ran = await research.run()
  expect(ran.output).toMatch(/^found=0$/m)
})

it('does not mistake its pending write for a foreign change', async () => {
  const at = lab(files)
  const research = await at.open()
  await research.init(settings)
  const signal = new AbortController().signal
  const options = { cwd: at.dir, data: at.data, env, run, signal, tell: () => undefined }
  const experiment = await openExperimentWorkspace(options, recoverRuns)
  await withActiveSession(experiment, async (session) => {
    let before: ReturnType<typeof readJudgeData> | undefined
    await queueRecordWrite(session, async () => {
      before = readJudgeData(session)
      await writePendingRuns(session.dir, [])
    })
    if (!before) throw new Error('nothing was written')
    expect(changedJudgeData(session, before)).toBeUndefined()
    const quiet = readJudgeData(session)
    appendFileSync(join(session.dir, 'pending.json'), ' ')
    expect(changedJudgeData(session, quiet)).toBe('pending.json')
    await writePendingRuns(session.dir, [])
  })
})
