import { limits } from '#simulator/limits.ts';
import { type FileRecord, unsaved } from '../model.ts';
import { invalid } from '../rules/api-error.ts';
import { paramOneOf, refuseUnknownParams, requiredParam, textParam } from '../wire/parameters.ts';
import { type Operation, replyWith } from './call.ts';

// Of an upload for a dispute: the other purposes are not simulated.
export const createFile: Operation = async (call) => {
  const { params, tools, now } = call;
  refuseUnknownParams(params, ['file', 'purpose']);
  requiredParam(params, 'purpose');
  paramOneOf(params, 'purpose', ['dispute_evidence']);
  const bytes = Number(requiredParam(params, 'file.bytes'));
  if (bytes > limits.fileBytes)
    throw invalid(`The file is larger than ${limits.fileBytes} bytes.`, 'file');
  const type = textParam(params, 'file.type');
  if (type === null) throw invalid('The file must be a PDF, JPEG or PNG.', 'file');
  const file: FileRecord = {
    kind: 'file',
    id: `file_${tools.random.text(24)}`,
    ...unsaved(now),
    fileName: textParam(params, 'file.name') ?? 'file',
    bytes,
    type: type as FileRecord['type'],
  };
  return replyWith(call, file.id, [file]);
};
