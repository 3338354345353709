// Reader of the format and length of a sound file from its header.

export interface SoundHeader {
  format: string
  /** Length in seconds, if the header contains it. */
  seconds?: number
}

/**
 * Returns the format of a sound file, with the length of a WAVE or FLAC file, or undefined if the file is not
 * sound. `bytes` may be only the beginning of a file of `size` bytes.
 */
export function readSoundHeader(bytes: Buffer, size: number): SoundHeader | undefined {
  const mark = (at: number, text: string) => bytes.toString('latin1', at, at + text.length) === text
  if (mark(0, 'RIFF') && mark(8, 'WAVE')) return { format: 'wav', ...secondsOf(waveSeconds(bytes, size)) }
  if (mark(0, 'fLaC')) return { format: 'flac', ...secondsOf(flacSeconds(bytes)) }
  if (mark(0, 'OggS')) return { format: 'ogg' }
  if (mark(0, 'FORM') && (mark(8, 'AIFF') || mark(8, 'AIFC'))) return { format: 'aiff' }
  if (mark(4, 'ftypM4A')) return { format: 'm4a' }
  const isFrame = bytes.length > 1 && bytes[0] === 0xff && [0xfb, 0xf3, 0xf2, 0xfa].includes(bytes[1] ?? 0)
  return mark(0, 'ID3') || isFrame ? { format: 'mp3' } : undefined
}

const secondsOf = (seconds: number | undefined) =>
  seconds !== undefined && Number.isFinite(seconds) ? { seconds: Math.round(seconds * 10) / 10 } : {}

/**
 * Returns the duration of a WAVE file in seconds, from the size of its samples or, if the file is
 * truncated, from the bytes that it has. Returns undefined if `bytes` do not include the rate and the
 * beginning of the samples.
 */
function waveSeconds(bytes: Buffer, size: number): number | undefined {
  let rate = 0
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    if (name === 'fmt ' && at + 20 <= bytes.length) rate = bytes.readUInt32LE(at + 16)
    if (name === 'data') return rate > 0 ? Math.min(length, size - at - 8) / rate : undefined
    at += 8 + length + (length % 2)
  }
  return undefined
}

/**
 * Returns the duration in seconds from the first block: 20 bits of samples per second, 36 bits of samples.
 * Returns undefined if the header does not contain it.
 */
function flacSeconds(bytes: Buffer): number | undefined {
  if (bytes.length < 26) return undefined
  const rate = bytes.readUIntBE(18, 3) >> 4
  const samples = (bytes.readUInt8(21) & 0x0f) * 2 ** 32 + bytes.readUInt32BE(22)
  return rate > 0 && samples > 0 ? samples / rate : undefined
}
