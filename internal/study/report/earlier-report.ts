// Recognition of reports of studies among other files, in each of their formats.
import { inflateRawSync } from 'node:zlib'

const studyId = '[0-9A-HJKMNP-TV-Z]{26}'

/** Matches the line that identifies the study in a text format: Markdown and text, HTML, JSON. */
const nameLine = new RegExp(
  `^(?:(?:- )?Study: ${studyId}$|<dt>Study</dt><dd>${studyId}</dd>|  "id": "${studyId}",$)`,
  'm',
)

/** Matches the object of a PDF that identifies the study. */
const pdfName = new RegExp(`\\d obj\\n\\(Study ${studyId}\\)\\nendobj`)

/**
 * Returns true if the bytes are a report of any study: a Word file by Anode, or another file that
 * names a study in the form of its format.
 */
export function isStudyReport(bytes: Buffer): boolean {
  if (bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) return pdfName.test(bytes.toString('latin1'))
  if (bytes.subarray(0, 2).equals(Buffer.from('PK'))) return readProperties(bytes).includes('>Anode<')
  return nameLine.test(bytes.toString('utf8'))
}

/**
 * Returns the XML of `docProps/core.xml` in a Word archive, or an empty text if that is missing or damaged.
 */
function readProperties(archive: Buffer): string {
  const name = 'docProps/core.xml'
  const at = archive.indexOf(name)
  if (at < 0) return ''
  // The compressed data follows the 30 bytes of the header, the name, and a further field whose length is in
  // the last two bytes of the header.
  const begin = at + name.length + archive.readUInt16LE(at - 2)
  try {
    return inflateRawSync(archive.subarray(begin)).toString('utf8')
  } catch {
    return ''
  }
}
