// Encodings of the bytes in an RTF file, by the code page of the file or the charset of a font.
import { decodeBytes } from '../../base/text/decode-bytes.ts'

/**
 * Encoding names for `TextDecoder` by charset number. Charsets that `TextDecoder` cannot decode
 * have no entry.
 */
const byCharset: Readonly<Record<number, string>> = {
  0: 'windows-1252',
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
}
const byCodePage: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
}

/** Returns the name of the encoding; undefined for an encoding that cannot be decoded. */
export const encodingOfCharset = (charset: number): string | undefined => byCharset[charset]

export function encodingOfCodePage(page: number): string | undefined {
  return page >= 1250 && page <= 1258 ? `windows-${page}` : byCodePage[page]
}

/** Returns the text of bytes. Without an encoding, each byte beyond ASCII becomes U+FFFD. */
export function decodeRtfBytes(bytes: string, encoding: string | undefined): string {
  if (encoding === undefined) return bytes.replace(/[^\0-\x7f]/g, '\ufffd')
  return decodeBytes(Buffer.from(bytes, 'latin1'), encoding)
}
