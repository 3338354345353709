// Functions with which commands record and replay the model responses of this process.
export { setModelTape } from '../../model/tape.ts'
