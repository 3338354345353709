// The client that the official suite starts: sends the scenario to the waiting test, and ends with the exit
// code of the test.
import { connect } from 'node:net'

const [socket, url] = process.argv.slice(2)
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
const wire = connect(socket)
let said = ''
wire.on('data', (chunk) => {
  said += chunk
})
wire.on('error', (error) => {
  said = error.message
})
wire.on('close', () => {
  process.stderr.write(said)
  process.exitCode = said === '' ? 0 : 1
})
wire.write(`${JSON.stringify({ url, context })}\n`)
