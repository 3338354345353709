// The function with which commands make this process record its model responses, or replay recorded ones.
export { setModelTape } from '../../model/model-choice.ts'
