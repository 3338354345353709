// Puts the models of this process under a recording, for commands.
export { setModelTape } from '../../model/tape.ts'
