// Access for commands to the recording and the replay of the model responses of this process.
export { setModelTape } from '../../model/tape.ts'
