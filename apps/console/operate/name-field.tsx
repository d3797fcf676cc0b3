import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useEffect, useId, useState } from 'preact/hooks';
import { driverList, fleetList, placedFleetList } from './api.ts';
import { useLanes } from './lane-scope.tsx';

const TYPING_MILLISECONDS = 150;

/** A debounced string, which changes only after the operator has stopped typing. */
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

/** A text field with suggestions. The operator may also enter other text. */
function NameField({ label, text, onChange, names }: NameFieldProps & { names: readonly string[] }) {
  const listId = useId();
  return (
    <>
      <label>
        {label}
        <input
          class="id"
          type="text"
          required
          autocomplete="off"
          list={listId}
          value={text}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </label>
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** A field for a fleet id. It suggests the fleets of the event log, or those of all lanes if there are several. */
export function FleetField(props: NameFieldProps) {
  const hasLanes = useLanes().length > 1;
  const beginning = useSettled(props.text.trim());
  const options = { placeholderData: keepPreviousData };
  const { data: logged } = useQuery({ ...fleetList(beginning), ...options, enabled: !hasLanes });
  const { data: placed } = useQuery({ ...placedFleetList(beginning), ...options, enabled: hasLanes });
  const names = hasLanes ? placed?.fleets.map(({ fleet_id }) => fleet_id) : logged?.fleets;
  return <NameField {...props} names={names ?? []} />;
}

const FLEET_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether a string can be a fleet id. */
export function isFleetId(text: string): boolean {
  return FLEET_ID.test(text);
}

/** A field for a driver id. It suggests the drivers of a fleet. */
export function DriverField({ fleetId, ...props }: NameFieldProps & { fleetId: string }) {
  const fleet = useSettled(fleetId.trim());
  const request = driverList(fleet, useSettled(props.text));
  const { data } = useQuery({ ...request, enabled: isFleetId(fleet), placeholderData: keepPreviousData });
  return <NameField {...props} names={isFleetId(fleet) ? (data?.drivers ?? []) : []} />;
}
