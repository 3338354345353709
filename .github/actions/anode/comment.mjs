// The comment on a pull request, made from a SARIF file: node comment.mjs FILE
import { readFileSync } from 'node:fs'

/** GitHub rejects comments of more than 65,536 characters. */
const maxCharacters = 60_000

/** Returns Markdown with one item for each finding. */
export function makeComment(sarif) {
  const results = sarif.runs.flatMap((run) => run.results ?? [])
  if (results.length === 0) return 'Anode found no problems in this change.\n'
  const noun = results.length === 1 ? 'problem' : 'problems'
  let text = `Anode found ${results.length} ${noun} in this change.\n\n`
  for (const [i, result] of results.entries()) {
    const item = describe(result)
    if (text.length + item.length > maxCharacters)
      return `${text}\nThe comment is full: see the SARIF file for the other ${results.length - i}.\n`
    text += item
  }
  return text
}

function describe({ level = 'warning', message, locations = [] }) {
  const place = locations[0]?.physicalLocation
  const line = place?.region?.startLine
  const where = place ? ` \`${place.artifactLocation.uri}${line === undefined ? '' : `:${line}`}\`` : ''
  // a mention in a finding must not notify anyone
  const body = message.text.replaceAll('@', '@\u200b').replaceAll('\n', '\n  ')
  return `- **${level}**${where}: ${body}\n`
}

if (process.argv[2]) process.stdout.write(makeComment(JSON.parse(readFileSync(process.argv[2], 'utf8'))))
