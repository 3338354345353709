// The parts of a ZIP file, read by other code than the readers that are measured.
import { inflateRawSync } from 'node:zlib'

/** Returns a function from the name of a part to its bytes, and the names. */
export function openParts(bytes) {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  const entries = new Map()
  for (let i = 0; i < count; i++) {
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)]
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset))
    entries.set(bytes.toString('utf8', at + 46, at + 46 + name), {
      method,
      size,
      from: bytes.readUInt32LE(at + 42),
    })
    at += 46 + name + extra + comment
  }
  return {
    names: [...entries.keys()],
    read(name) {
      const entry = entries.get(name)
      if (!entry) return ''
      const { from, size, method } = entry
      const start = from + 30 + bytes.readUInt16LE(from + 26) + bytes.readUInt16LE(from + 28)
      const packed = bytes.subarray(start, start + size)
      const part = method === 0 ? packed : inflateRawSync(packed)
      return part[0] === 0xff && part[1] === 0xfe ? part.toString('utf16le') : part.toString('utf8')
    },
  }
}
