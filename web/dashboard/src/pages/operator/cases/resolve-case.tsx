import {
  getOperatorCase,
  limits,
  listOperatorCases,
  type ReplyOf,
  resolveOperatorCase,
} from '@florin/contract';
import { Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../../call/use-operation.ts';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';
import { sentenceCase } from '../../../parts/describe-status.ts';

type ResolveCaseProps = {
  readonly of: ReplyOf<typeof getOperatorCase>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Once: what became of it stays in the history of the case. */
export const ResolveCase = ({ of, isOpen, onClose }: ResolveCaseProps): ReactNode => {
  const [resolution, setResolution] = useState('');
  const resolve = useAct(resolveOperatorCase, { changes: [getOperatorCase, listOperatorCases] });
  const said = resolution.trim();
  return (
    <ConfirmAct
      isOpen={isOpen}
      title={`Resolve: ${sentenceCase(of.kind).toLowerCase()}`}
      act="Resolve this case"
      isReady={said !== ''}
      onConfirm={() =>
        resolve.mutateAsync({ params: { caseId: of.caseId }, body: { resolution: said } })
      }
      onClose={onClose}
    >
      <p>{of.description}</p>
      <p className="soft">
        This closes the case and moves no money. It cannot be opened again; who resolved it and what
        you write here stay in its history.
      </p>
      <Textarea
        label="What became of it"
        required
        autosize
        minRows={3}
        maxLength={limits.operatorTextLength}
        value={resolution}
        onChange={({ currentTarget }) => setResolution(currentTarget.value)}
      />
    </ConfirmAct>
  );
};
