// Rows of `npm run bench:study` about claims and quotes: the states of judged claims, contradictions of the
// first suite, and quotes of code that are whole units. All of them are results of the program itself.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const row = (what, ours, goal, met) => ({ what, floor: '', ours, ratio: '', goal, met })
const shareOf = (list) => list.filter(Boolean).length / list.length

/** Runs `anode study` and returns its JSON. Throws if it prints none. */
function readStudy({ anode, home }, cwd, words) {
  const [file, ...before] = anode
  const env = { PATH: process.env.PATH, HOME: home }
  const options = { cwd, env, encoding: 'utf8', maxBuffer: 64 << 20 }
  const { stdout, stderr } = spawnSync(file, [...before, 'study', ...words, '--json', '--quiet'], options)
  if (stdout === '') throw new Error(`the study printed nothing: ${stderr}`)
  return JSON.parse(stdout)
}

/** Contradictions of the first suite that reports show, and pairs of claims about different names. */
function measureContradictions(place) {
  const { study } = readStudy(place, root, ['eval', '--model', 'builtin/extract', '--in-process'])
  const { shown, contradictions, falseContradictions } = study
  const enough = shown >= contradictions - 1
  return [
    row('contradictions of the first suite', `${shown} of ${contradictions}`, '>= 5 of 6', enough),
    row('contradictions between others', `${falseContradictions}`, '0', falseContradictions === 0),
  ]
}

/** Smallest share of right states, by the expected state or by the kind of a claim that is not carried. */
const goals = {
  verified: 0.9,
  'wrong-number': 0.88,
  'wrong-subject': 0.88,
  'wrong-denial': 0.5,
  not_found: 1,
}

/** Returns the script of a worker that reads the file of a pair and claims its text. */
function scriptPair({ file, quotes, claim }, i) {
  const task = `t${i + 1}`
  const places = quotes.map((quote) => ({ evidence: `E${i + 1}.1`, quote }))
  return [
    { task, calls: [{ name: 'read', args: { path: `${i}/${file}` } }] },
    { task, claims: [{ text: claim, places }] },
    // the answer to a note about an invalid claim, which keeps it
    { task, text: '{"claims": []}' },
  ]
}

/** States of the judged claims in the file that ANODE_CLAIMS names, as a study with a script reports them. */
function measureClaims(place) {
  const path = process.env.ANODE_CLAIMS
  if (path === undefined || !existsSync(path))
    return [row('claims: skipped: set ANODE_CLAIMS to a file of judged claims', '', '', true)]
  const { pairs } = JSON.parse(readFileSync(path, 'utf8'))
  const dir = join(place.home, 'claims')
  for (const [i, { file, excerpt }] of pairs.entries()) {
    mkdirSync(dirname(join(dir, `${i}`, file)), { recursive: true })
    writeFileSync(join(dir, `${i}`, file), excerpt)
  }
  const replies = [...pairs.flatMap(scriptPair), { task: 'report', text: '## Answer\n\nClaims [C1.1].\n' }]
  const script = join(place.home, 'claims.jsonl')
  writeFileSync(script, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const plan = join(place.home, 'claims.plan.json')
  const tasks = pairs.map(({ claim }, i) => ({ objective: `find out whether this is true (${i}): ${claim}` }))
  writeFileSync(plan, JSON.stringify({ tasks }))
  const words = ['which claims are true?', '--workers', '16', '--model', `script:${script}`, '--plan', plan]
  const { claims } = readStudy(place, dir, [...words, '--in-process'])
  const right = {}
  for (const [i, { expect, label }] of pairs.entries()) {
    const kind = expect === 'quoted' ? label.replace('->quoted', '') : expect
    const state = claims.find(({ task }) => task === `t${i + 1}`)?.state
    right[kind] = [...(right[kind] ?? []), state === expect]
  }
  return Object.entries(right).map(([kind, list]) => {
    const goal = goals[kind] ?? 0.88
    const ours = `${shareOf(list).toFixed(2)} of ${list.length}`
    return row(`judged claims: ${kind}`, ours, `>= ${goal.toFixed(2)}`, shareOf(list) >= goal)
  })
}

/** Returns the random programs of the tests, whose units are known. */
async function loadPrograms(home) {
  const { build } = await import('esbuild')
  const outfile = join(home, 'programs.mjs')
  const contents = `export * from './test/support/programs.ts'; export * from './test/support/rng.ts'`
  await build({ stdin: { contents, resolveDir: root }, outfile, bundle: true, format: 'esm' })
  return import(pathToFileURL(outfile).href)
}

const unitsAsked = 4

/** The share of quotes of code that begin and end with a unit, in random programs of several languages. */
async function measureUnits(place) {
  const { dialects, writeProgram, rng } = await loadPrograms(place.home)
  const judged = []
  for (const [language, dialect] of Object.entries(dialects)) {
    const { path, text, units } = writeProgram(dialect, rng(23))
    const dir = join(place.home, 'units', language)
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
    for (const { word, name } of units.slice(0, unitsAsked)) {
      const question = `What does ${word} have to do with ${name}?`
      const { claims } = readStudy(place, dir, [question, '--model', 'builtin/extract', '--in-process'])
      for (const { places } of claims) {
        const [from, to = from] = /:([\d-]+)/.exec(places[0].place)?.[1].split('-').map(Number) ?? []
        // a quote with `…` leaves out lines of a long unit, so its last line is any line of the unit
        const isCut = /\n…\n/.test(places[0].quote)
        judged.push(
          units.some((one) => one.from === from && (isCut ? one.to >= to : true)) &&
            (isCut || units.some((one) => one.to === to)),
        )
      }
    }
  }
  const share = shareOf(judged)
  const what = `${judged.length} quotes of code that are whole units`
  return [row(what, share.toFixed(2), '>= 0.95', share >= 0.95)]
}

/** Returns the rows. */
export const claimRows = async (place) => [
  ...measureContradictions(place),
  ...measureClaims(place),
  ...(await measureUnits(place)),
]
