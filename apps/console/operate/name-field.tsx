import { FLEET_ID } from '@milepost/domain/ids';
import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useEffect, useId, useState } from 'preact/hooks';
import { TextField } from '../shared/text-field.tsx';
import { reads } from './api.ts';
import { useLanes } from './lane-scope.tsx';

const TYPING_MILLISECONDS = 150;

/** A debounced string. It changes only after the operator has stopped typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface NameFieldProps {
  label: string;
  text: string;
  onChange: (text: string) => void;
}

/** A text field with suggestions. The operator can also enter any other text. */
function NameField({ label, text, onChange, names }: NameFieldProps & { names: readonly string[] }) {
  const listId = useId();
  return (
    <>
      <TextField label={label} class="id" required autocomplete="off" list={listId} text={text} onChange={onChange} />
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** A field for a fleet id. It suggests the fleets in the event log or, with several lanes, in all lanes. */
export function FleetField(props: NameFieldProps) {
  const hasLanes = useLanes().length > 1;
  const beginning = useSettled(props.text.trim());
  const options = { placeholderData: keepPreviousData };
  const { data: logged } = useQuery({ ...reads.fleets(beginning), ...options, enabled: !hasLanes });
  const { data: placed } = useQuery({ ...reads.placedFleets(beginning), ...options, enabled: hasLanes });
  const names = hasLanes ? placed?.fleets.map(({ fleet_id }) => fleet_id) : logged?.fleets;
  return <NameField {...props} names={names ?? []} />;
}

/** A field for a driver id. It suggests a fleet's drivers. */
export function DriverField({ fleetId, ...props }: NameFieldProps & { fleetId: string }) {
  const fleet = useSettled(fleetId.trim());
  const request = reads.drivers(fleet, useSettled(props.text));
  const isFleet = FLEET_ID.test(fleet);
  const { data } = useQuery({ ...request, enabled: isFleet, placeholderData: keepPreviousData });
  return <NameField {...props} names={isFleet ? (data?.drivers ?? []) : []} />;
}
