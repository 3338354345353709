#!/usr/bin/env node
// Checks the form of a commit message. usage: check-message.mjs [--max-subject N] [FILE]   (without FILE: standard input)
// Prints one line for each problem; exit code 1 when there is one, 2 for wrong use.
import { readFileSync } from 'node:fs'

const args = process.argv.slice(2)
let maxSubject = 72
const flag = args.indexOf('--max-subject')
if (flag >= 0) maxSubject = Number(args.splice(flag, 2)[1])
if (!Number.isInteger(maxSubject) || maxSubject < 1 || args.length > 1) {
  console.error('usage: check-message.mjs [--max-subject N] [FILE]')
  process.exit(2)
}

const text = readFileSync(args[0] ?? 0, 'utf8').replace(/\r\n/g, '\n')
const lines = text.split('\n').filter((line) => !line.startsWith('#'))
while (lines.at(-1)?.trim() === '') lines.pop()
const [subject = '', second, ...body] = lines

const problems = []
const say = (line, what) => problems.push(`line ${line}: ${what}`)
const length = [...subject].length
// the project decides on prefixes such as `feat(core):` or `ABC-12:`
const plain = subject.replace(/^(\[?[A-Z]+-\d+\]?:?|[a-z]+(\([^)]*\))?!?:)\s*/, '')

if (subject.trim() === '') say(1, 'the subject is empty')
if (length > maxSubject) say(1, `the subject has ${length} characters, more than ${maxSubject}`)
if (/\.$/.test(subject) && !/\.\.\.$/.test(subject)) say(1, 'the subject ends with a full stop')
if (/\s$/.test(subject) || /^\s/.test(subject)) say(1, 'blanks around the subject')
if (
  /^(fix(es|ed)?|update[sd]?|change[sd]?|improve[sd]?|misc|wip|stuff|cleanup|refactor(ed)?|address review)( (bugs?|code|files?|things|issues?|stuff|comments?))?$/i.test(
    plain,
  )
) {
  say(1, 'the subject would fit any commit')
}
if (
  /^(added|adds|fixed|fixes|changed|changes|updated|updates|removed|removes|renamed|moved|adding|fixing)\b/i.test(
    plain,
  )
) {
  say(1, `imperative wanted instead of "${plain.split(' ')[0]}"`)
}
if (second !== undefined && second.trim() !== '') say(2, 'an empty line must follow the subject')
for (const [i, line] of body.entries()) {
  const isLong = [...line].length > 100 && !/https?:\/\/\S{60,}|^\s{4}|^[A-Za-z-]+: /.test(line)
  if (isLong) say(i + 3, `${[...line].length} characters; wrap at 72`)
}
for (const [i, line] of lines.entries()) {
  if (/^(<{7}|={7}$|>{7})/.test(line)) say(i + 1, 'conflict marker')
  if (/<[a-z]+( [a-z]+)*>(?!.*@)/.test(line) && !/<[^>]*@/.test(line))
    say(i + 1, 'looks like a gap that was never filled')
  if (/\b(this commit|this change|this patch)\b/i.test(line))
    say(i + 1, 'says "this commit": say what happens instead')
}
console.log(problems.length > 0 ? problems.join('\n') : 'ok')
process.exitCode = problems.length > 0 ? 1 : 0
