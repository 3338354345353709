// Sizes of files decide: no candidate gains by a file that only looks small.
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import {
  findGrownFile,
  measuredFileNotes,
  measureFileSize,
  parseMeasuredFile,
} from '../../../../internal/research/measure/file-size.ts'
import type { SessionSettings } from '../../../../internal/research/settings.ts'
import { type Lab, lab, paired, plain } from '../../../support/research.ts'
import { sampleRows } from '../../../support/sample.ts'
import { scratch } from '../../../support/scratch.ts'

vi.setConfig({ testTimeout: 300_000 })

const padding = `# ${'x'.repeat(400)}\n`
const program = `echo 7\n${padding}`
const files = {
  '.gitignore': 'dist\n',
  'src/app.sh': program,
  'src/small': 'x\n',
  'src/build.sh': 'mkdir -p dist; cat src/app.sh > dist/app.sh\n',
  'check.sh': 'test "$(bash dist/app.sh)" = 7\n',
  'rebuild.sh': 'bash src/build.sh; test "$(bash dist/app.sh)" = 7\n',
}
const settings: SessionSettings = {
  ...paired,
  skipNullTest: true,
  metric: 'app_bytes',
  command: 'bash src/build.sh',
  checks: 'bash check.sh',
  measureFiles: ['dist/app.sh'],
  scope: ['src'],
}

interface Cheat {
  what: string
  build: string
  over?: Partial<SessionSettings>
  ends: { status: string; reason: string; detail?: unknown }
}

const crash = (detail: RegExp) => ({
  status: 'crash',
  reason: 'no_metric',
  detail: expect.stringMatching(detail),
})
const failed = { status: 'checks_failed', reason: 'checks' }
const full = 'mkdir -p dist; cat src/app.sh > dist/app.sh'
/** Writes a stub where the benchmark runs, and the program where the checks do. */
const detects = 'mkdir -p dist; case "$(tr "\\0" " " < /proc/$PPID/cmdline)" in '

/** What a run can leave in the place of the file. */
const places: Cheat[] = Object.entries({
  nothing: ['true', /dist is missing/],
  'an empty folder': ['mkdir -p dist', /dist\/app\.sh is missing/],
  'another name': ['mkdir -p dist; cat src/app.sh > dist/App.sh', /is missing/],
  'a directory': ['mkdir -p dist/app.sh', /not a regular file/],
  'a pipe': ['mkdir -p dist; mkfifo dist/app.sh', /not a regular file/],
  'a link to a small file': ['mkdir -p dist; ln -s ../src/small dist/app.sh', /is a link/],
  'a link to the program': [`${full}; mv dist/app.sh dist/real; ln -s real dist/app.sh`, /is a link/],
  'a link to nothing': ['mkdir -p dist; ln -s nothing dist/app.sh', /is a link/],
  'a link to a device': ['mkdir -p dist; ln -s /dev/null dist/app.sh', /is a link/],
  'a link to its folder': [
    'cp src/small src/app; mkdir -p out; cp src/small out/app.sh; ln -s out dist',
    /dist is a link/,
  ],
  'a file in the place of the folder': ['echo x > dist', /dist is not a directory/],
  'a link chain': ['mkdir -p dist; ln -s ../src/small dist/a; ln -s a dist/app.sh', /is a link/],
}).map(([what, [build, detail]]) => ({
  what: `leaves ${what}`,
  build: build as string,
  ends: crash(detail as RegExp),
}))

const cheats: Cheat[] = [
  ...places,
  {
    what: 'leaves a small file of another text',
    build: 'mkdir -p dist; cp src/small dist/app.sh',
    ends: failed,
  },
  { what: 'hard-links a small file', build: 'mkdir -p dist; ln src/small dist/app.sh', ends: failed },
  { what: 'leaves an empty file', build: 'mkdir -p dist; : > dist/app.sh', ends: failed },
  {
    what: 'leaves a sparse file of the same length',
    build: 'mkdir -p dist; truncate -s 410 dist/app.sh',
    ends: failed,
  },
  {
    what: 'leaves a sparse file of a greater length',
    build: 'mkdir -p dist; truncate -s 1G dist/app.sh',
    ends: { status: 'discard', reason: 'worse' },
  },
  {
    what: 'prints a smaller size',
    build: `${full}; echo METRIC app_bytes=1`,
    ends: { status: 'discard', reason: 'below_min_effect' },
  },
  {
    what: 'prints two sizes and no number',
    build: `${full}; echo METRIC app_bytes=1; echo METRIC app_bytes=2; echo METRIC app_bytes=less`,
    ends: { status: 'discard', reason: 'below_min_effect' },
  },
  {
    what: 'restores the program when the stub runs',
    build: "mkdir -p dist; echo 'cat src/app.sh > dist/app.sh; . dist/app.sh' > dist/app.sh",
    ends: failed,
  },
  {
    what: 'restores the program when the checks build again',
    over: { checks: 'bash rebuild.sh' },
    build: `${detects}*rebuild*) cat src/app.sh > dist/app.sh;; *) echo 'echo 7 # s' > dist/app.sh;; esac`,
    ends: failed,
  },
  {
    what: 'removes itself when the stub runs',
    build: "mkdir -p dist; echo 'rm dist/app.sh; bash src/app.sh' > dist/app.sh",
    ends: failed,
  },
  {
    what: 'replaces the stub from the background',
    build: `mkdir -p dist; echo x > dist/app.sh; (sleep 0.2; ${full}) > /dev/null 2>&1 &`,
    ends: failed,
  },
  {
    what: 'replaces the stub from a session of its own',
    build: `mkdir -p dist; echo x > dist/app.sh; setsid sh -c 'sleep 0.2; ${full}' > /dev/null 2>&1 &`,
    ends: failed,
  },
  {
    what: 'shortens a file that the candidate itself contains',
    over: { measureFiles: ['src/app.sh'], checks: 'true' },
    build: 'echo echo 7 > src/app.sh',
    ends: crash(/src\/app\.sh has 410 bytes in the candidate and 7 after the run/),
  },
  {
    what: 'shortens it in the build',
    over: { measureFiles: ['src/app.sh'], build: 'bash src/build.sh', command: 'true', checks: 'true' },
    build: 'echo echo 7 > src/app.sh',
    ends: crash(/src\/app\.sh has 410 bytes in the candidate/),
  },
]

async function begun(over: Partial<SessionSettings> = {}) {
  const at = lab(files)
  const research = await at.open()
  const { notes } = await research.init({ ...settings, ...over })
  expect(await research.run()).toMatchObject({ status: 'baseline' })
  await research.log({ status: 'baseline' })
  return { at, research, notes }
}

type Begun = Awaited<ReturnType<typeof begun>>

describe('a measured file', () => {
  it('gives none of the cheats a gain', async () => {
    // sessions of the same settings are shared
    const sessions = new Map<string, Begun>()
    for (const { what, build, over, ends } of sampleRows(cheats, 3)) {
      const key = JSON.stringify(over ?? {})
      const { at, research } = sessions.get(key) ?? (await begun(over))
      sessions.set(key, { at, research, notes: [] })
      at.put('src/build.sh', `${build}\n`)
      const { status, reason, detail } = await research.run()
      expect([what, { status, reason, detail }]).toEqual([what, expect.objectContaining(ends)])
      await research.log({ status: status as 'discard', restore: true })
    }
  })

  it('keeps an honest saving, also where the checks build again', async () => {
    for (const checks of ['bash check.sh', 'bash rebuild.sh']) {
      const { at, research, notes } = await begun({ checks })
      expect(notes.join('\n')).toContain('app_bytes is the size of dist/app.sh in bytes')
      expect(notes.join('\n')).not.toContain('can print metrics')
      at.put('src/app.sh', `echo 7\n${padding.slice(0, 200)}\n`)
      expect(await research.run()).toMatchObject({ status: 'keep', reason: 'deterministic', metric: 208 })
    }
  })

  it('is a guard that no printed value can meet', async () => {
    const { at, research } = await begun({
      metric: 'lines',
      command: 'bash src/build.sh; echo METRIC lines=$(wc -l < src/small)',
      measureFiles: ['app_bytes=dist/app.sh'],
      guards: ['app_bytes<=1.02x'],
    })
    at.put('src/small', '')
    const more = `${full}; echo '#${'y'.repeat(50)}' >> dist/app.sh; echo METRIC app_bytes=1\n`
    at.put('src/build.sh', more)
    const ran = await research.run({ acceptImplausible: true })
    const ends = { status: 'discard', reason: 'guard:app_bytes', metrics: { app_bytes: 462 } }
    expect(ran).toMatchObject(ends)
  })

  it('is measured under the gate plain, and the checks may not enlarge it', async () => {
    const { at, research } = await begun({ ...plain, ...settings, gate: 'plain' })
    at.put('src/build.sh', cheats.find(({ what }) => what.startsWith('restores'))?.build ?? '')
    const ran = await research.run()
    expect(ran).toMatchObject({ status: 'checks_failed' })
    expect(ran.checksOutput).toMatch(/dist\/app\.sh has 410 bytes after the checks, but \d+ were measured/)
  })
})

describe('settings', () => {
  it.each([
    ['dist/app.js', 'dist/app.js', 'size'],
    ['./dist/app.js', 'dist/app.js', 'size'],
    ['kib=dist/app.js', 'dist/app.js', 'kib'],
    ['a b/[id].js', 'a b/[id].js', 'size'],
    ['kib=a=b', 'a=b', 'kib'],
  ])('reads %s', (text, path, metric) => {
    expect(parseMeasuredFile(text, 'size')).toEqual({ metric, path })
  })
  it.each([
    '',
    '/etc/passwd',
    '../x',
    'a/../../x',
    'dist/',
    'a//b',
    'dist/*.js',
    'a?',
    '.git/index',
    'x=',
    'cpu_ms=a',
    '.',
  ])('rejects %j', (text) => expect(() => parseMeasuredFile(text, 'size')).toThrow(/invalid measured file/))
  it.each(['cpu_ms', 'wall_ms'])('rejects the size of a file as %s', (metric) => {
    expect(() => parseMeasuredFile('dist/x', metric)).toThrow(/is a time/)
  })
  it('rejects two files for one metric, and a larger file as the goal', async () => {
    const at: Lab = lab(files)
    const research = await at.open()
    await expect(research.init({ ...settings, measureFiles: ['a', 'b'] })).rejects.toThrow(
      /app_bytes|measure_files/,
    )
    await expect(research.init({ ...settings, direction: 'higher' })).rejects.toThrow(/higher/)
  })
  it.each(['bundle_bytes', 'size', 'binary.kb', 'wasm-MiB'])('proposes to measure %s', (metricName) => {
    expect(measuredFileNotes({ metricName })).toEqual([expect.stringContaining('--measure-file PATH')])
  })
  it.each(['ms', 'cpu_ms', 'sized', 'kbps'])('proposes nothing for %s', (metricName) => {
    expect(measuredFileNotes({ metricName })).toEqual([])
  })
})

it('counts the holes of a file, and names a part of the path that is a link', () => {
  const dir = scratch()
  mkdirSync(join(dir, 'a/b'), { recursive: true })
  writeFileSync(join(dir, 'a/b/sparse'), '')
  truncateSync(join(dir, 'a/b/sparse'), 1 << 20)
  symlinkSync('a', join(dir, 'link'))
  expect(measureFileSize(dir, 'a/b/sparse')).toEqual({ bytes: 1 << 20 })
  expect(measureFileSize(dir, 'link/b/sparse')).toEqual({ fault: expect.stringContaining('link is a link') })
  expect(findGrownFile(dir, [{ metric: 'm', path: 'a/b/sparse' }], { m: 1 })).toContain('1048576 bytes after')
  expect(findGrownFile(dir, [{ metric: 'm', path: 'a/b/sparse' }], { m: 1 << 20 })).toBe(undefined)
})
