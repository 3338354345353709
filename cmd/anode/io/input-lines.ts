// The reader of standard input, which yields lines as they arrive.

/**
 * Yields each line without its end (LF or CRLF), and a last line without an end if it is not empty. Other
 * separators such as U+2028 do not end a line, because JSON may contain them.
 */
export async function* inputLines(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  stream.setEncoding('utf8')
  let lineParts: string[] = []
  const take = () => {
    const line = lineParts.join('')
    lineParts = []
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }
  for await (const chunk of stream as AsyncIterable<string>) {
    let from = 0
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', from)) {
      lineParts.push(chunk.slice(from, at))
      yield take()
      from = at + 1
    }
    lineParts.push(chunk.slice(from))
  }
  const last = take()
  if (last !== '') yield last
}
