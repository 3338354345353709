// How a report of a study is told from any other file, in each of its forms.
import { inflateRawSync } from 'node:zlib'

const studyId = '[0-9A-HJKMNP-TV-Z]{26}'

/** The line that names the study, as the forms that are text have it: Markdown and text, HTML, JSON. */
const nameLine = new RegExp(
  `^(?:(?:- )?Study: ${studyId}$|<dt>Study</dt><dd>${studyId}</dd>|  "id": "${studyId}",$)`,
  'm',
)

/** Whether these are the bytes of a report of any study. */
export function isStudyReport(bytes: Buffer): boolean {
  if (bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) return bytes.includes('(Anode)')
  if (bytes.subarray(0, 2).equals(Buffer.from('PK'))) return readProperties(bytes).includes('>Anode<')
  return nameLine.test(bytes.toString('utf8'))
}

/** Who has made a Word document, out of its archive; the empty text where it does not say. */
function readProperties(archive: Buffer): string {
  const name = 'docProps/core.xml'
  const at = archive.indexOf(name)
  if (at < 0) return ''
  // 30 bytes of a header, its name, and a field whose length stands in the last two of them
  const begin = at + name.length + archive.readUInt16LE(at - 2)
  try {
    return inflateRawSync(archive.subarray(begin)).toString('utf8')
  } catch {
    return ''
  }
}
