// Generated from an OpenAPI document: `npx vitest run test/integration/console/types.test.ts -u` writes it anew.

export interface paths {
    "/schemas/trip.processed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The JSON Schema of trip.processed */
        get: operations["getTripProcessedSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/trip.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The JSON Schema of trip.deleted */
        get: operations["getTripDeletedSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/driver.profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The JSON Schema of driver.profile */
        get: operations["getDriverProfileSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is the process alive? */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Can it answer? */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics for Prometheus
         * @description Needs no token. The figures of one moment, gathered at most once a second. `milepost_up` is 0, and all other `milepost_` metrics are missing, while the database does not answer.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the status
         * @description How far the event log, the read tables and the sources have come, as of one moment.
         */
        get: operations["status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projections
         * @description Every projection with all generations of its read table that there are; dropped ones are left out.
         */
        get: operations["projectionsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projections/{name}/roll-back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll projections back
         * @description Makes the generation live again that the last promotion replaced, of one projection or of several that were promoted together. It is brought up to date first, which is a replay of its own: the answer is that one.
         */
        post: operations["replayRollback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List replays
         * @description The newest replays, newest first, with the results of their verifications in short.
         */
        get: operations["replayList"];
        put?: never;
        /**
         * Start a replay
         * @description Builds the read tables of one projection, of several, or of all, anew from the event log beside the live ones, and compares the two. Nothing changes for readers until it is promoted. Asked while the same one is under way, the answer is that one, which takes over `promote` and `accept_differences`; one that waits is verified anew, with the new `throttle`.
         */
        post: operations["replayStart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replays/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a replay
         * @description How it stands, and the whole report of its verification.
         */
        get: operations["replayShow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replays/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a replay
         * @description It stops after the work under way, until it is resumed; what it has built stays.
         */
        post: operations["replayPause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replays/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a replay
         * @description A paused one goes on where it stopped; a failed one too, once the cause is mended.
         */
        post: operations["replayResume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replays/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a replay
         * @description Ends it before its promotion and drops what it has built. The live read tables are not touched.
         */
        post: operations["replayCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replays/{id}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Drop what a replay leaves
         * @description Drops the generations that it has built or replaced. What is live stays, and what the roll back of another replay would bring back. After that its own promotion cannot be rolled back.
         */
        post: operations["replayDrop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replays/{id}/promote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Promote a replay
         * @description Makes live what it has built; one under way is made live once it is verified. What was live is kept for a roll back.
         */
        post: operations["replayPromote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replays/{id}/throttle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Throttle a replay
         * @description How fast it may go from now on. The worker that has it in hand follows within a second.
         */
        put: operations["replayThrottle"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audits
         * @description What was recounted when, and whether all was as it should be. Newest first.
         */
        get: operations["auditList"];
        put?: never;
        /**
         * Start an audit
         * @description Has the live read tables recounted from the log now, as is done every AUDIT_INTERVAL_MINUTES anyway. `GET /audits/{id}` is 404 until the report is there. While an audit that was asked for has not ended, the answer has the id of that one.
         */
        post: operations["auditStart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audits/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an audit
         * @description The whole report: each read table against the log, and every fault with the stored events behind it.
         */
        get: operations["auditShow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dead-letters/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a dead letter
         * @description Why a record was refused, where it came from, and its bytes.
         */
        get: operations["deadLettersShow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/{topic}/{partition}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a source
         * @description Has a partition that stands still, or cannot be read, go on elsewhere, and so accepts that what lies between is never read. The status shows such partitions, with the cause. Ingest goes on within seconds; it stops again if the broker does not hold the offset.
         */
        post: operations["sourcesAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run retention
         * @description Does now what is done every hour anyway: leaves rows out of the read tables that nobody can ask for any more, by a replay of each table concerned, and drops generations that were kept long enough for a roll back. The event log keeps everything; `milepost archive` writes ranges of it to files, which is a matter for the command line, as the files stay with whoever asks for them.
         */
        post: operations["retentionRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The keys of all fleets, revoked ones too, in the order of their making.
         */
        get: operations["keysList"];
        put?: never;
        /**
         * Create an API key
         * @description The answer is the only time that the key is shown: the database keeps its hash alone.
         */
        post: operations["keysCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description It opens nothing from now on. Done twice, nothing more happens.
         */
        delete: operations["keysRevoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List operations
         * @description The audit trail: who changed what, when, and what came of it. Newest first.
         */
        get: operations["operationsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dead letters
         * @description Those that nobody has settled, newest first, without the bytes of their records.
         */
        get: operations["deadLettersList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dead-letters/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count dead letters by reason and field
         * @description Those that nobody has settled, the largest groups first: at most 1,000 groups.
         */
        get: operations["deadLettersSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dead-letters/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry dead letters
         * @description Tries to store the same bytes again with the rules of this release, in the order of their sources: at most 1000 a request.
         */
        post: operations["deadLettersRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dead-letters/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Discard dead letters
         * @description Gives them up, on record; rows and bytes stay. At most 1000 a request.
         */
        post: operations["deadLettersDiscard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trips/{trip_id}/trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trace a trip
         * @description Every stored event behind a trip, with where it came from, and the duplicates and dead letters about it.
         */
        get: operations["traceTrip"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drivers/{fleet_id}/{driver_id}/trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trace a driver's day
         * @description Every stored event that decides a driver's summary of one UTC day, trips moved away and deleted ones too, with the duplicates and dead letters about it.
         */
        get: operations["traceDriver"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drivers/{fleet_id}/{driver_id}/erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview an erasure
         * @description How many trips and stored events the erasure of a driver would redact as things stand.
         */
        get: operations["driversPreview"];
        put?: never;
        /**
         * Erase a driver
         * @description Removes the person for good: names, email, alias, the driver's id, coordinates, paths and trip events go from the log, from every read table and from the dead letters, and a pseudonym takes the id's place. Records about the driver are refused from then on. There is no way back. What backups, the write-ahead log and the Kafka topic hold goes when these expire. While it runs, usually well under a second, nothing is stored or projected; readers go on. The audit trail names the pseudonym alone.
         */
        post: operations["driversErase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the status
         * @description What `GET /status` answers, at once and then every two seconds, as server-sent events. An event `status` has it as JSON. While it cannot be read, there are events `unavailable` instead, with a sentence in `detail`. The stream goes on until either side ends it. There may be 50 at once.
         */
        get: operations["followStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What is wrong with one parameter. */
        ParameterError: {
            /**
             * @description Its name.
             * @example start_date
             */
            parameter: string;
            /**
             * @description What would be right.
             * @example Must be a date written YYYY-MM-DD, such as 2026-01-31.
             */
            message: string;
        };
        /** @description An error (RFC 9457). */
        Problem: {
            /**
             * Format: uri-reference
             * @description The page about the code, on this server.
             * @example /docs/errors/invalid_parameter
             */
            type: string;
            /**
             * @description The code in words.
             * @example Invalid parameter
             */
            title: string;
            /**
             * @description The status of the answer.
             * @example 400
             */
            status: number;
            /**
             * @description What is wrong with this request.
             * @example Wrong or missing: start_date.
             */
            detail: string;
            /**
             * @description - `invalid_parameter`: Parameters are missing or wrong; `errors` names all of them and says what would be right.
             *     - `bad_request`: The request is not valid HTTP, has no Host or several, or its path is not valid percent-encoding.
             *     - `not_found`: There is no such path.
             *     - `request_timeout`: The request did not arrive in time.
             *     - `method_not_allowed`: The path answers other methods: `Allow` names them.
             *     - `unsupported_media_type`: The header Content-Type is missing or is not `application/json`.
             *     - `expectation_failed`: The header Expect asks for something else than `100-continue`.
             *     - `rate_limited`: The requests of this minute are used up; try again after `Retry-After` seconds.
             *     - `headers_too_large`: The address and the headers of the request exceed 128 KiB.
             *     - `internal`: A fault of the service; report it with the `request_id`.
             *     - `overloaded`: More requests are under way than can be answered in time; try again after `Retry-After` seconds.
             *     - `unavailable`: The data cannot be read at the moment; try again after `Retry-After` seconds.
             *     - `unauthorized`: The token is missing or wrong, or the service was started without OPS_TOKEN.
             *     - `key_not_found`: There is no API key with this id.
             *     - `replay_not_found`: There is no replay with this id.
             *     - `dead_letter_not_found`: There is no dead letter with this id.
             *     - `audit_not_found`: There is no audit with this id.
             *     - `trip_not_found`: The log has no trip with this id.
             *     - `driver_not_found`: Neither the log nor a dead letter names this driver.
             *     - `replay_refused`: As things stand, this makes no sense or would do harm: `detail` says why, and what would be right.
             *     - `erasure_refused`: There is nothing to erase: `detail` says why.
             *     - `source_refused`: The source does not stand still, or there is none of this name: there is nothing to accept.
             *     - `queue_unavailable`: The queue of jobs does not answer; try again after `Retry-After` seconds.
             *     - `body_too_large`: The body of the request exceeds 256 KiB.
             * @example invalid_parameter
             * @enum {unknown}
             */
            code: "invalid_parameter" | "bad_request" | "not_found" | "request_timeout" | "method_not_allowed" | "unsupported_media_type" | "expectation_failed" | "rate_limited" | "headers_too_large" | "internal" | "overloaded" | "unavailable" | "unauthorized" | "key_not_found" | "replay_not_found" | "dead_letter_not_found" | "audit_not_found" | "trip_not_found" | "driver_not_found" | "replay_refused" | "erasure_refused" | "source_refused" | "queue_unavailable" | "body_too_large";
            /**
             * @description Names this request in the logs of the service.
             * @example 03bf579e-482e-44d8-8928-4c2f8a953fe6
             */
            request_id: string;
            /** @description All wrong parameters at once. */
            errors?: components["schemas"]["ParameterError"][];
        };
        /** @description The process is alive. */
        Alive: {
            /**
             * @description Always `ok`.
             * @constant
             */
            status: "ok";
        };
        /** @description Requests can be answered. */
        Ready: {
            /**
             * @description Always `ready`.
             * @constant
             */
            status: "ready";
        };
        /** @description Requests cannot be answered now. */
        NotReady: {
            /**
             * @description Always `not_ready`.
             * @constant
             */
            status: "not_ready";
            /**
             * @description Why.
             * @example database_unavailable
             * @enum {unknown}
             */
            reason: "stopping" | "database_unavailable" | "database_not_migrated" | "source_fault" | "read_tables_behind" | "ingest_missing";
            /** @description With `read_tables_behind`: since the oldest stored event not yet applied was stored. */
            lag_seconds?: number;
            failed_position?: number | null;
            missing_seconds?: number | null;
            /** @description What `lag_seconds` or `missing_seconds` may be at most. */
            limit_seconds?: number;
        };
        /** @description How far everything has come. */
        StatusAnswer: {
            /** @description Last position of the event log. */
            head_position: number;
            projections: {
                name: string;
                version: number;
                generation: number;
                checkpoint: number;
                lag_events: number;
                /** @description Age of the oldest stored event not yet applied; 0 for none. */
                lag_seconds: number;
                failed_position: number | null;
                failure: string | null;
            }[];
            /** @description Those that nobody has settled. */
            dead_letters: number;
            /** @description The partitions of topics, and the newest files that are being read or were given up; at most 10 files. */
            sources: {
                topic: string;
                partition: number;
                next_offset: number;
                /** @description Whether the source stands still until an operator settles the fault. */
                stopped: boolean;
                fault: string | null;
                fault_at: string | null;
                end_offset: number | null;
                lag: number | null;
            }[];
            ingest: ("running" | "missing") | null;
            /** @description Files that were read to their end. */
            files_ended: number;
            /** @description What is legal and odd in the records that were stored, the newest sources first; at most 50. */
            warnings: {
                topic: string;
                /**
                 * @description - `other_name`: A field that is absent seems to be there under another name, which is ignored.
                 *     - `unknown_field`: A field is of no name that Milepost knows, and is ignored.
                 *     - `part_exceeds_whole`: A part of the miles or seconds is more than all of them.
                 *     - `duration_differs`: The seconds driven are far from the end less the start: by more than a minute and a fifth.
                 *     - `trip_event_outside_trip`: A trip event begins before its trip, or ends after it.
                 *     - `trip_event_end_before_start`: A trip event ends before it starts; it lasts no time in a derived summary.
                 *     - `timestamp_in_seconds`: A timestamp has 10 digits, as epoch seconds have; it is taken as milliseconds.
                 *     - `course_out_of_range`: A course is less than 0 or more than 360 degrees.
                 * @enum {unknown}
                 */
                reason: "other_name" | "unknown_field" | "part_exceeds_whole" | "duration_differs" | "trip_event_outside_trip" | "trip_event_end_before_start" | "timestamp_in_seconds" | "course_out_of_range";
                /** @description A path in the record, `*` standing for any index; empty: the record itself. */
                field: string;
                /** @description How many have it. */
                records: number;
            }[];
            /** @description Those that are not at their end. */
            replays: {
                id: number;
                /** @enum {unknown} */
                kind: "build" | "roll_back";
                /** @description As asked for: the name of a projection, several separated by commas, or `all`. */
                projection: string;
                /**
                 * @description `waiting` waits for a promotion. The ends are `promoted`, `cancelled` and `dropped`.
                 * @enum {unknown}
                 */
                phase: "filling" | "indexing" | "catching_up" | "verifying" | "waiting" | "promoting" | "cancelling" | "dropping" | "promoted" | "cancelled" | "dropped";
                halted: ("paused" | "failed") | null;
                error: string | null;
                /** @description A worker has it in hand at this moment. */
                running: boolean;
                /** @description How far it has come, as a position of the log; while it is filled, the share of the work done. */
                position: number;
                /** @description Where it is going. */
                target: number;
                trips_per_second: number | null;
                remaining_seconds: number | null;
                remaining_seconds_range: number[] | null;
                /** @description trips per second (1 to 999999999), or `auto`: as readers and the live projections allow, or `off`: as fast as it can. */
                throttle: ("off" | "auto") | number;
                throttled_by: string | null;
                /** @description Promotes itself once verified. */
                promote: boolean;
                accept_differences: boolean;
                /** @description What it built, or brought back, is what readers see. */
                live: boolean;
                /** @description What it made live is live still, and what that replaced is kept. */
                can_be_rolled_back: boolean;
                cutoff: string | null;
                generations: {
                    projection: string;
                    generation: number;
                    version: number;
                    checkpoint: number;
                }[];
                requested_by: string;
                /** Format: date-time */
                created_at: string;
                finished_at: string | null;
                verification: {
                    /** @description The position at which both sides were compared. */
                    position: number;
                    equal: boolean;
                    /** @description No difference, or none but those that a changed version explains. */
                    expected: boolean;
                    differences: number;
                    /** Format: date-time */
                    compared_at: string;
                    cutoff: string | null;
                    tables: {
                        projection: string;
                        live: {
                            generation: number;
                            version: number;
                            rows: number;
                        };
                        replayed: {
                            generation: number;
                            version: number;
                            rows: number;
                        };
                        equal: boolean;
                        /** @description Equal, or of another version, which leads to other rows. */
                        expected: boolean;
                        /** @description Keys whose rows differ. */
                        differences: number;
                        differing_day_count: number;
                        /** @description The first of them. */
                        differing_days: {
                            day: string | null;
                            live_rows: number;
                            replayed_rows: number;
                        }[];
                        /** @description Some rows that differ; null where a side has no such row. */
                        samples: {
                            day: string | null;
                            key: string;
                            live: string | null;
                            replayed: string | null;
                        }[];
                        changes: {
                            [key: string]: unknown;
                        } | null;
                    }[];
                } | null;
            }[];
        };
        ProjectionsListAnswer: {
            projections: {
                name: string;
                /** @description The newest first. */
                generations: {
                    /** @description Numbers are never used twice. */
                    generation: number;
                    /** @description Of the projection's code. */
                    version: number;
                    /**
                     * @description `live`: answers come from it. `building`: a replay works on it, or waits for its promotion. `retired`: it was live, and is kept for a roll back.
                     * @enum {unknown}
                     */
                    state: "live" | "building" | "retired";
                    /** @description The position up to which it has been applied. */
                    checkpoint: number;
                    /** @description Stored events that it does not show yet; retired ones stand still. */
                    lag_events: number;
                    cutoff: string | null;
                    /** Format: date-time */
                    created_at: string;
                    retired_at: string | null;
                    replay_id: number | null;
                    failed_position: number | null;
                    failure: string | null;
                }[];
            }[];
        };
        ReplayRollbackAnswer: {
            id: number;
            /** @enum {unknown} */
            kind: "build" | "roll_back";
            /** @description As asked for: the name of a projection, several separated by commas, or `all`. */
            projection: string;
            /**
             * @description `waiting` waits for a promotion. The ends are `promoted`, `cancelled` and `dropped`.
             * @enum {unknown}
             */
            phase: "filling" | "indexing" | "catching_up" | "verifying" | "waiting" | "promoting" | "cancelling" | "dropping" | "promoted" | "cancelled" | "dropped";
            halted: ("paused" | "failed") | null;
            error: string | null;
            /** @description A worker has it in hand at this moment. */
            running: boolean;
            /** @description How far it has come, as a position of the log; while it is filled, the share of the work done. */
            position: number;
            /** @description Where it is going. */
            target: number;
            trips_per_second: number | null;
            remaining_seconds: number | null;
            remaining_seconds_range: number[] | null;
            /** @description trips per second (1 to 999999999), or `auto`: as readers and the live projections allow, or `off`: as fast as it can. */
            throttle: ("off" | "auto") | number;
            throttled_by: string | null;
            /** @description Promotes itself once verified. */
            promote: boolean;
            accept_differences: boolean;
            /** @description What it built, or brought back, is what readers see. */
            live: boolean;
            /** @description What it made live is live still, and what that replaced is kept. */
            can_be_rolled_back: boolean;
            cutoff: string | null;
            generations: {
                projection: string;
                generation: number;
                version: number;
                checkpoint: number;
            }[];
            requested_by: string;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            verification: {
                /** @description The position at which both sides were compared. */
                position: number;
                equal: boolean;
                /** @description No difference, or none but those that a changed version explains. */
                expected: boolean;
                differences: number;
                /** Format: date-time */
                compared_at: string;
                cutoff: string | null;
                tables: {
                    projection: string;
                    live: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    replayed: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    equal: boolean;
                    /** @description Equal, or of another version, which leads to other rows. */
                    expected: boolean;
                    /** @description Keys whose rows differ. */
                    differences: number;
                    differing_day_count: number;
                    /** @description The first of them. */
                    differing_days: {
                        day: string | null;
                        live_rows: number;
                        replayed_rows: number;
                    }[];
                    /** @description Some rows that differ; null where a side has no such row. */
                    samples: {
                        day: string | null;
                        key: string;
                        live: string | null;
                        replayed: string | null;
                    }[];
                    changes: {
                        [key: string]: unknown;
                    } | null;
                }[];
            } | null;
        };
        ReplayListAnswer: {
            replays: {
                id: number;
                /** @enum {unknown} */
                kind: "build" | "roll_back";
                /** @description As asked for: the name of a projection, several separated by commas, or `all`. */
                projection: string;
                /**
                 * @description `waiting` waits for a promotion. The ends are `promoted`, `cancelled` and `dropped`.
                 * @enum {unknown}
                 */
                phase: "filling" | "indexing" | "catching_up" | "verifying" | "waiting" | "promoting" | "cancelling" | "dropping" | "promoted" | "cancelled" | "dropped";
                halted: ("paused" | "failed") | null;
                error: string | null;
                /** @description A worker has it in hand at this moment. */
                running: boolean;
                /** @description How far it has come, as a position of the log; while it is filled, the share of the work done. */
                position: number;
                /** @description Where it is going. */
                target: number;
                trips_per_second: number | null;
                remaining_seconds: number | null;
                remaining_seconds_range: number[] | null;
                /** @description trips per second (1 to 999999999), or `auto`: as readers and the live projections allow, or `off`: as fast as it can. */
                throttle: ("off" | "auto") | number;
                throttled_by: string | null;
                /** @description Promotes itself once verified. */
                promote: boolean;
                accept_differences: boolean;
                /** @description What it built, or brought back, is what readers see. */
                live: boolean;
                /** @description What it made live is live still, and what that replaced is kept. */
                can_be_rolled_back: boolean;
                cutoff: string | null;
                generations: {
                    projection: string;
                    generation: number;
                    version: number;
                    checkpoint: number;
                }[];
                requested_by: string;
                /** Format: date-time */
                created_at: string;
                finished_at: string | null;
                verification: {
                    /** @description The position at which both sides were compared. */
                    position: number;
                    equal: boolean;
                    /** @description No difference, or none but those that a changed version explains. */
                    expected: boolean;
                    differences: number;
                } | null;
            }[];
            next_before: number | null;
        };
        ReplayStartAnswer: {
            id: number;
            /** @enum {unknown} */
            kind: "build" | "roll_back";
            /** @description As asked for: the name of a projection, several separated by commas, or `all`. */
            projection: string;
            /**
             * @description `waiting` waits for a promotion. The ends are `promoted`, `cancelled` and `dropped`.
             * @enum {unknown}
             */
            phase: "filling" | "indexing" | "catching_up" | "verifying" | "waiting" | "promoting" | "cancelling" | "dropping" | "promoted" | "cancelled" | "dropped";
            halted: ("paused" | "failed") | null;
            error: string | null;
            /** @description A worker has it in hand at this moment. */
            running: boolean;
            /** @description How far it has come, as a position of the log; while it is filled, the share of the work done. */
            position: number;
            /** @description Where it is going. */
            target: number;
            trips_per_second: number | null;
            remaining_seconds: number | null;
            remaining_seconds_range: number[] | null;
            /** @description trips per second (1 to 999999999), or `auto`: as readers and the live projections allow, or `off`: as fast as it can. */
            throttle: ("off" | "auto") | number;
            throttled_by: string | null;
            /** @description Promotes itself once verified. */
            promote: boolean;
            accept_differences: boolean;
            /** @description What it built, or brought back, is what readers see. */
            live: boolean;
            /** @description What it made live is live still, and what that replaced is kept. */
            can_be_rolled_back: boolean;
            cutoff: string | null;
            generations: {
                projection: string;
                generation: number;
                version: number;
                checkpoint: number;
            }[];
            requested_by: string;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            verification: {
                /** @description The position at which both sides were compared. */
                position: number;
                equal: boolean;
                /** @description No difference, or none but those that a changed version explains. */
                expected: boolean;
                differences: number;
                /** Format: date-time */
                compared_at: string;
                cutoff: string | null;
                tables: {
                    projection: string;
                    live: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    replayed: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    equal: boolean;
                    /** @description Equal, or of another version, which leads to other rows. */
                    expected: boolean;
                    /** @description Keys whose rows differ. */
                    differences: number;
                    differing_day_count: number;
                    /** @description The first of them. */
                    differing_days: {
                        day: string | null;
                        live_rows: number;
                        replayed_rows: number;
                    }[];
                    /** @description Some rows that differ; null where a side has no such row. */
                    samples: {
                        day: string | null;
                        key: string;
                        live: string | null;
                        replayed: string | null;
                    }[];
                    changes: {
                        [key: string]: unknown;
                    } | null;
                }[];
            } | null;
        };
        ReplayShowAnswer: {
            id: number;
            /** @enum {unknown} */
            kind: "build" | "roll_back";
            /** @description As asked for: the name of a projection, several separated by commas, or `all`. */
            projection: string;
            /**
             * @description `waiting` waits for a promotion. The ends are `promoted`, `cancelled` and `dropped`.
             * @enum {unknown}
             */
            phase: "filling" | "indexing" | "catching_up" | "verifying" | "waiting" | "promoting" | "cancelling" | "dropping" | "promoted" | "cancelled" | "dropped";
            halted: ("paused" | "failed") | null;
            error: string | null;
            /** @description A worker has it in hand at this moment. */
            running: boolean;
            /** @description How far it has come, as a position of the log; while it is filled, the share of the work done. */
            position: number;
            /** @description Where it is going. */
            target: number;
            trips_per_second: number | null;
            remaining_seconds: number | null;
            remaining_seconds_range: number[] | null;
            /** @description trips per second (1 to 999999999), or `auto`: as readers and the live projections allow, or `off`: as fast as it can. */
            throttle: ("off" | "auto") | number;
            throttled_by: string | null;
            /** @description Promotes itself once verified. */
            promote: boolean;
            accept_differences: boolean;
            /** @description What it built, or brought back, is what readers see. */
            live: boolean;
            /** @description What it made live is live still, and what that replaced is kept. */
            can_be_rolled_back: boolean;
            cutoff: string | null;
            generations: {
                projection: string;
                generation: number;
                version: number;
                checkpoint: number;
            }[];
            requested_by: string;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            verification: {
                /** @description The position at which both sides were compared. */
                position: number;
                equal: boolean;
                /** @description No difference, or none but those that a changed version explains. */
                expected: boolean;
                differences: number;
                /** Format: date-time */
                compared_at: string;
                cutoff: string | null;
                tables: {
                    projection: string;
                    live: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    replayed: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    equal: boolean;
                    /** @description Equal, or of another version, which leads to other rows. */
                    expected: boolean;
                    /** @description Keys whose rows differ. */
                    differences: number;
                    differing_day_count: number;
                    /** @description The first of them. */
                    differing_days: {
                        day: string | null;
                        live_rows: number;
                        replayed_rows: number;
                    }[];
                    /** @description Some rows that differ; null where a side has no such row. */
                    samples: {
                        day: string | null;
                        key: string;
                        live: string | null;
                        replayed: string | null;
                    }[];
                    changes: {
                        [key: string]: unknown;
                    } | null;
                }[];
            } | null;
        };
        ReplayPauseAnswer: {
            id: number;
            /** @enum {unknown} */
            kind: "build" | "roll_back";
            /** @description As asked for: the name of a projection, several separated by commas, or `all`. */
            projection: string;
            /**
             * @description `waiting` waits for a promotion. The ends are `promoted`, `cancelled` and `dropped`.
             * @enum {unknown}
             */
            phase: "filling" | "indexing" | "catching_up" | "verifying" | "waiting" | "promoting" | "cancelling" | "dropping" | "promoted" | "cancelled" | "dropped";
            halted: ("paused" | "failed") | null;
            error: string | null;
            /** @description A worker has it in hand at this moment. */
            running: boolean;
            /** @description How far it has come, as a position of the log; while it is filled, the share of the work done. */
            position: number;
            /** @description Where it is going. */
            target: number;
            trips_per_second: number | null;
            remaining_seconds: number | null;
            remaining_seconds_range: number[] | null;
            /** @description trips per second (1 to 999999999), or `auto`: as readers and the live projections allow, or `off`: as fast as it can. */
            throttle: ("off" | "auto") | number;
            throttled_by: string | null;
            /** @description Promotes itself once verified. */
            promote: boolean;
            accept_differences: boolean;
            /** @description What it built, or brought back, is what readers see. */
            live: boolean;
            /** @description What it made live is live still, and what that replaced is kept. */
            can_be_rolled_back: boolean;
            cutoff: string | null;
            generations: {
                projection: string;
                generation: number;
                version: number;
                checkpoint: number;
            }[];
            requested_by: string;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            verification: {
                /** @description The position at which both sides were compared. */
                position: number;
                equal: boolean;
                /** @description No difference, or none but those that a changed version explains. */
                expected: boolean;
                differences: number;
                /** Format: date-time */
                compared_at: string;
                cutoff: string | null;
                tables: {
                    projection: string;
                    live: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    replayed: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    equal: boolean;
                    /** @description Equal, or of another version, which leads to other rows. */
                    expected: boolean;
                    /** @description Keys whose rows differ. */
                    differences: number;
                    differing_day_count: number;
                    /** @description The first of them. */
                    differing_days: {
                        day: string | null;
                        live_rows: number;
                        replayed_rows: number;
                    }[];
                    /** @description Some rows that differ; null where a side has no such row. */
                    samples: {
                        day: string | null;
                        key: string;
                        live: string | null;
                        replayed: string | null;
                    }[];
                    changes: {
                        [key: string]: unknown;
                    } | null;
                }[];
            } | null;
        };
        ReplayResumeAnswer: {
            id: number;
            /** @enum {unknown} */
            kind: "build" | "roll_back";
            /** @description As asked for: the name of a projection, several separated by commas, or `all`. */
            projection: string;
            /**
             * @description `waiting` waits for a promotion. The ends are `promoted`, `cancelled` and `dropped`.
             * @enum {unknown}
             */
            phase: "filling" | "indexing" | "catching_up" | "verifying" | "waiting" | "promoting" | "cancelling" | "dropping" | "promoted" | "cancelled" | "dropped";
            halted: ("paused" | "failed") | null;
            error: string | null;
            /** @description A worker has it in hand at this moment. */
            running: boolean;
            /** @description How far it has come, as a position of the log; while it is filled, the share of the work done. */
            position: number;
            /** @description Where it is going. */
            target: number;
            trips_per_second: number | null;
            remaining_seconds: number | null;
            remaining_seconds_range: number[] | null;
            /** @description trips per second (1 to 999999999), or `auto`: as readers and the live projections allow, or `off`: as fast as it can. */
            throttle: ("off" | "auto") | number;
            throttled_by: string | null;
            /** @description Promotes itself once verified. */
            promote: boolean;
            accept_differences: boolean;
            /** @description What it built, or brought back, is what readers see. */
            live: boolean;
            /** @description What it made live is live still, and what that replaced is kept. */
            can_be_rolled_back: boolean;
            cutoff: string | null;
            generations: {
                projection: string;
                generation: number;
                version: number;
                checkpoint: number;
            }[];
            requested_by: string;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            verification: {
                /** @description The position at which both sides were compared. */
                position: number;
                equal: boolean;
                /** @description No difference, or none but those that a changed version explains. */
                expected: boolean;
                differences: number;
                /** Format: date-time */
                compared_at: string;
                cutoff: string | null;
                tables: {
                    projection: string;
                    live: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    replayed: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    equal: boolean;
                    /** @description Equal, or of another version, which leads to other rows. */
                    expected: boolean;
                    /** @description Keys whose rows differ. */
                    differences: number;
                    differing_day_count: number;
                    /** @description The first of them. */
                    differing_days: {
                        day: string | null;
                        live_rows: number;
                        replayed_rows: number;
                    }[];
                    /** @description Some rows that differ; null where a side has no such row. */
                    samples: {
                        day: string | null;
                        key: string;
                        live: string | null;
                        replayed: string | null;
                    }[];
                    changes: {
                        [key: string]: unknown;
                    } | null;
                }[];
            } | null;
        };
        ReplayCancelAnswer: {
            id: number;
            /** @enum {unknown} */
            kind: "build" | "roll_back";
            /** @description As asked for: the name of a projection, several separated by commas, or `all`. */
            projection: string;
            /**
             * @description `waiting` waits for a promotion. The ends are `promoted`, `cancelled` and `dropped`.
             * @enum {unknown}
             */
            phase: "filling" | "indexing" | "catching_up" | "verifying" | "waiting" | "promoting" | "cancelling" | "dropping" | "promoted" | "cancelled" | "dropped";
            halted: ("paused" | "failed") | null;
            error: string | null;
            /** @description A worker has it in hand at this moment. */
            running: boolean;
            /** @description How far it has come, as a position of the log; while it is filled, the share of the work done. */
            position: number;
            /** @description Where it is going. */
            target: number;
            trips_per_second: number | null;
            remaining_seconds: number | null;
            remaining_seconds_range: number[] | null;
            /** @description trips per second (1 to 999999999), or `auto`: as readers and the live projections allow, or `off`: as fast as it can. */
            throttle: ("off" | "auto") | number;
            throttled_by: string | null;
            /** @description Promotes itself once verified. */
            promote: boolean;
            accept_differences: boolean;
            /** @description What it built, or brought back, is what readers see. */
            live: boolean;
            /** @description What it made live is live still, and what that replaced is kept. */
            can_be_rolled_back: boolean;
            cutoff: string | null;
            generations: {
                projection: string;
                generation: number;
                version: number;
                checkpoint: number;
            }[];
            requested_by: string;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            verification: {
                /** @description The position at which both sides were compared. */
                position: number;
                equal: boolean;
                /** @description No difference, or none but those that a changed version explains. */
                expected: boolean;
                differences: number;
                /** Format: date-time */
                compared_at: string;
                cutoff: string | null;
                tables: {
                    projection: string;
                    live: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    replayed: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    equal: boolean;
                    /** @description Equal, or of another version, which leads to other rows. */
                    expected: boolean;
                    /** @description Keys whose rows differ. */
                    differences: number;
                    differing_day_count: number;
                    /** @description The first of them. */
                    differing_days: {
                        day: string | null;
                        live_rows: number;
                        replayed_rows: number;
                    }[];
                    /** @description Some rows that differ; null where a side has no such row. */
                    samples: {
                        day: string | null;
                        key: string;
                        live: string | null;
                        replayed: string | null;
                    }[];
                    changes: {
                        [key: string]: unknown;
                    } | null;
                }[];
            } | null;
        };
        ReplayDropAnswer: {
            id: number;
            /** @enum {unknown} */
            kind: "build" | "roll_back";
            /** @description As asked for: the name of a projection, several separated by commas, or `all`. */
            projection: string;
            /**
             * @description `waiting` waits for a promotion. The ends are `promoted`, `cancelled` and `dropped`.
             * @enum {unknown}
             */
            phase: "filling" | "indexing" | "catching_up" | "verifying" | "waiting" | "promoting" | "cancelling" | "dropping" | "promoted" | "cancelled" | "dropped";
            halted: ("paused" | "failed") | null;
            error: string | null;
            /** @description A worker has it in hand at this moment. */
            running: boolean;
            /** @description How far it has come, as a position of the log; while it is filled, the share of the work done. */
            position: number;
            /** @description Where it is going. */
            target: number;
            trips_per_second: number | null;
            remaining_seconds: number | null;
            remaining_seconds_range: number[] | null;
            /** @description trips per second (1 to 999999999), or `auto`: as readers and the live projections allow, or `off`: as fast as it can. */
            throttle: ("off" | "auto") | number;
            throttled_by: string | null;
            /** @description Promotes itself once verified. */
            promote: boolean;
            accept_differences: boolean;
            /** @description What it built, or brought back, is what readers see. */
            live: boolean;
            /** @description What it made live is live still, and what that replaced is kept. */
            can_be_rolled_back: boolean;
            cutoff: string | null;
            generations: {
                projection: string;
                generation: number;
                version: number;
                checkpoint: number;
            }[];
            requested_by: string;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            verification: {
                /** @description The position at which both sides were compared. */
                position: number;
                equal: boolean;
                /** @description No difference, or none but those that a changed version explains. */
                expected: boolean;
                differences: number;
                /** Format: date-time */
                compared_at: string;
                cutoff: string | null;
                tables: {
                    projection: string;
                    live: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    replayed: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    equal: boolean;
                    /** @description Equal, or of another version, which leads to other rows. */
                    expected: boolean;
                    /** @description Keys whose rows differ. */
                    differences: number;
                    differing_day_count: number;
                    /** @description The first of them. */
                    differing_days: {
                        day: string | null;
                        live_rows: number;
                        replayed_rows: number;
                    }[];
                    /** @description Some rows that differ; null where a side has no such row. */
                    samples: {
                        day: string | null;
                        key: string;
                        live: string | null;
                        replayed: string | null;
                    }[];
                    changes: {
                        [key: string]: unknown;
                    } | null;
                }[];
            } | null;
        };
        ReplayPromoteAnswer: {
            id: number;
            /** @enum {unknown} */
            kind: "build" | "roll_back";
            /** @description As asked for: the name of a projection, several separated by commas, or `all`. */
            projection: string;
            /**
             * @description `waiting` waits for a promotion. The ends are `promoted`, `cancelled` and `dropped`.
             * @enum {unknown}
             */
            phase: "filling" | "indexing" | "catching_up" | "verifying" | "waiting" | "promoting" | "cancelling" | "dropping" | "promoted" | "cancelled" | "dropped";
            halted: ("paused" | "failed") | null;
            error: string | null;
            /** @description A worker has it in hand at this moment. */
            running: boolean;
            /** @description How far it has come, as a position of the log; while it is filled, the share of the work done. */
            position: number;
            /** @description Where it is going. */
            target: number;
            trips_per_second: number | null;
            remaining_seconds: number | null;
            remaining_seconds_range: number[] | null;
            /** @description trips per second (1 to 999999999), or `auto`: as readers and the live projections allow, or `off`: as fast as it can. */
            throttle: ("off" | "auto") | number;
            throttled_by: string | null;
            /** @description Promotes itself once verified. */
            promote: boolean;
            accept_differences: boolean;
            /** @description What it built, or brought back, is what readers see. */
            live: boolean;
            /** @description What it made live is live still, and what that replaced is kept. */
            can_be_rolled_back: boolean;
            cutoff: string | null;
            generations: {
                projection: string;
                generation: number;
                version: number;
                checkpoint: number;
            }[];
            requested_by: string;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            verification: {
                /** @description The position at which both sides were compared. */
                position: number;
                equal: boolean;
                /** @description No difference, or none but those that a changed version explains. */
                expected: boolean;
                differences: number;
                /** Format: date-time */
                compared_at: string;
                cutoff: string | null;
                tables: {
                    projection: string;
                    live: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    replayed: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    equal: boolean;
                    /** @description Equal, or of another version, which leads to other rows. */
                    expected: boolean;
                    /** @description Keys whose rows differ. */
                    differences: number;
                    differing_day_count: number;
                    /** @description The first of them. */
                    differing_days: {
                        day: string | null;
                        live_rows: number;
                        replayed_rows: number;
                    }[];
                    /** @description Some rows that differ; null where a side has no such row. */
                    samples: {
                        day: string | null;
                        key: string;
                        live: string | null;
                        replayed: string | null;
                    }[];
                    changes: {
                        [key: string]: unknown;
                    } | null;
                }[];
            } | null;
        };
        ReplayThrottleAnswer: {
            id: number;
            /** @enum {unknown} */
            kind: "build" | "roll_back";
            /** @description As asked for: the name of a projection, several separated by commas, or `all`. */
            projection: string;
            /**
             * @description `waiting` waits for a promotion. The ends are `promoted`, `cancelled` and `dropped`.
             * @enum {unknown}
             */
            phase: "filling" | "indexing" | "catching_up" | "verifying" | "waiting" | "promoting" | "cancelling" | "dropping" | "promoted" | "cancelled" | "dropped";
            halted: ("paused" | "failed") | null;
            error: string | null;
            /** @description A worker has it in hand at this moment. */
            running: boolean;
            /** @description How far it has come, as a position of the log; while it is filled, the share of the work done. */
            position: number;
            /** @description Where it is going. */
            target: number;
            trips_per_second: number | null;
            remaining_seconds: number | null;
            remaining_seconds_range: number[] | null;
            /** @description trips per second (1 to 999999999), or `auto`: as readers and the live projections allow, or `off`: as fast as it can. */
            throttle: ("off" | "auto") | number;
            throttled_by: string | null;
            /** @description Promotes itself once verified. */
            promote: boolean;
            accept_differences: boolean;
            /** @description What it built, or brought back, is what readers see. */
            live: boolean;
            /** @description What it made live is live still, and what that replaced is kept. */
            can_be_rolled_back: boolean;
            cutoff: string | null;
            generations: {
                projection: string;
                generation: number;
                version: number;
                checkpoint: number;
            }[];
            requested_by: string;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            verification: {
                /** @description The position at which both sides were compared. */
                position: number;
                equal: boolean;
                /** @description No difference, or none but those that a changed version explains. */
                expected: boolean;
                differences: number;
                /** Format: date-time */
                compared_at: string;
                cutoff: string | null;
                tables: {
                    projection: string;
                    live: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    replayed: {
                        generation: number;
                        version: number;
                        rows: number;
                    };
                    equal: boolean;
                    /** @description Equal, or of another version, which leads to other rows. */
                    expected: boolean;
                    /** @description Keys whose rows differ. */
                    differences: number;
                    differing_day_count: number;
                    /** @description The first of them. */
                    differing_days: {
                        day: string | null;
                        live_rows: number;
                        replayed_rows: number;
                    }[];
                    /** @description Some rows that differ; null where a side has no such row. */
                    samples: {
                        day: string | null;
                        key: string;
                        live: string | null;
                        replayed: string | null;
                    }[];
                    changes: {
                        [key: string]: unknown;
                    } | null;
                }[];
            } | null;
        };
        AuditStartAnswer: {
            /** @description Of the report, once it is there. */
            id: number;
            /** @description Where to see what comes of it. */
            detail: string;
        };
        AuditListAnswer: {
            audits: {
                id: number;
                /** Format: date-time */
                at: string;
                /** @description Where the log ended. */
                position: number;
                /** @description Nothing was found. */
                equal: boolean;
                /** @description How long it took. */
                seconds: number;
                projection: string | null;
                /** @description How many were found. */
                faults: number;
            }[];
            next_before: number | null;
        };
        AuditShowAnswer: {
            id: number;
            /** Format: date-time */
            at: string;
            /** @description Where the log ended. */
            position: number;
            /** @description Nothing was found. */
            equal: boolean;
            /** @description How long it took. */
            seconds: number;
            report: {
                projection: string | null;
                position: number;
                /** Format: date-time */
                audited_at: string;
                seconds: number;
                equal: boolean;
                projections: {
                    projection: string;
                    generation: number;
                    version: number;
                    checkpoint: number;
                    cutoff: string | null;
                    expected_rows: number;
                    actual_rows: number;
                    /** @description Rows missing, too many or different. */
                    differences: number;
                    differing_day_count: number;
                    differing_days: {
                        day: string | null;
                        expected_rows: number;
                        actual_rows: number;
                    }[];
                    seconds: number;
                }[];
                faults: {
                    /** @description What was looked at, such as `missing_row` or `stalled_projector`. */
                    check: string;
                    projection: string | null;
                    day: string | null;
                    key: string | null;
                    /** @description What is wrong, in a sentence. */
                    detail: string;
                    /** @description Stored events behind it, the newest first. */
                    positions: {
                        position: number;
                        kind: string;
                        fleet_id: string;
                        driver_id: string | null;
                        trip_id: string | null;
                        revision: number;
                        topic: string | null;
                        partition: number | null;
                        offset: number;
                    }[];
                }[];
            };
        };
        DeadLettersShowAnswer: {
            id: number;
            /** Format: date-time */
            received_at: string;
            /** @description Where the record came from: a topic, or `file:` and the name of a file. */
            topic: string;
            /** @description Of a file: the number of the run that read it. */
            partition: number;
            /** @description Of a file: the line. */
            offset: number;
            /** @description A code; see the filter `reason`. */
            reason: string;
            field: string | null;
            /** @description What is wrong. */
            message: string;
            raw_bytes: number | null;
            resolution: ("retried" | "duplicate" | "discarded") | null;
            resolved_at: string | null;
            note: string | null;
            raw_base64: string | null;
        };
        SourcesAcceptAnswer: {
            topic: string;
            partition: number;
            /** @description Where it would have gone on. */
            abandoned_offset: number;
            /** @description Where it goes on; 0 also stands for the oldest record there is. */
            next_offset: number;
        };
        RetentionRunAnswer: {
            /** @description Where to see what comes of it. */
            detail: string;
        };
        KeysListAnswer: {
            keys: {
                /** @description Names the key; it is not the key itself. */
                id: string;
                /** @description 1 to 64 of the characters A-Z, a-z, 0-9, _ and -: the fleet whose reports the key opens. */
                fleet_id: string;
                /** Format: date-time */
                created_at: string;
                revoked_at: string | null;
            }[];
        };
        KeysCreateAnswer: {
            /** @description Names the key; it is not the key itself. */
            id: string;
            /** @description 1 to 64 of the characters A-Z, a-z, 0-9, _ and -: the fleet whose reports the key opens. */
            fleet_id: string;
            /** @description The only time it is known: the database keeps its hash alone. */
            key: string;
            warning: string | null;
        };
        OperationsListAnswer: {
            operations: {
                id: number;
                /** Format: date-time */
                at: string;
                /** @description The header `Milepost-Operator`, else `ops-token`; of a command, the user of the operating system. */
                actor: string;
                /** @enum {unknown} */
                via: "http" | "cli";
                /** @description What was asked for, such as `keys.create`. */
                action: string;
                /** @description What it was asked for with. */
                parameters: Record<string, never>;
                /**
                 * @description `refused`: the request was wrong, and nothing changed. `failed`: it broke on the way.
                 * @enum {unknown}
                 */
                outcome: "done" | "refused" | "failed";
                detail: string | null;
            }[];
            next_before: number | null;
        };
        DeadLettersListAnswer: {
            dead_letters: {
                id: number;
                /** Format: date-time */
                received_at: string;
                /** @description Where the record came from: a topic, or `file:` and the name of a file. */
                topic: string;
                /** @description Of a file: the number of the run that read it. */
                partition: number;
                /** @description Of a file: the line. */
                offset: number;
                /** @description A code; see the filter `reason`. */
                reason: string;
                field: string | null;
                /** @description What is wrong. */
                message: string;
                raw_bytes: number | null;
                resolution: ("retried" | "duplicate" | "discarded") | null;
                resolved_at: string | null;
                note: string | null;
            }[];
            next_before: number | null;
        };
        DeadLettersSummaryAnswer: {
            groups: {
                /** @description A code; see the filter `reason`. */
                reason: string;
                field: string | null;
                /** @description How many there are. */
                dead_letters: number;
                /** Format: date-time */
                first_received_at: string;
                /** Format: date-time */
                last_received_at: string;
                /** @description The newest of them, as an example. */
                newest_id: number;
            }[];
        };
        DeadLettersRetryAnswer: {
            /** @description One for each, in the order in which they were tried. */
            results: {
                id: number;
                /**
                 * @description `refused`: it breaks a rule as before, and stays open. `not_open`: there is none, or it is settled already.
                 * @enum {unknown}
                 */
                outcome: "stored" | "duplicate" | "refused" | "not_open";
                message: string | null;
            }[];
            /** @description Of `all_open`: how many more match that this request has not come to; ask again for the next ones. */
            left: number;
            /** @description The value of `skip` for the next ones: those refused so far come first. */
            next_skip: number;
        };
        DeadLettersDiscardAnswer: {
            /** @description The ids of those that were open. */
            discarded: number[];
            /** @description Of `ids`: there is none, or it is settled already. */
            not_open: number[];
            /** @description Of `all_open`: how many more match that this request has not come to; ask again for the next ones. */
            left: number;
        };
        TraceTripAnswer: {
            trip_id: string;
            fleet_id: string;
            source_trip_id: string | null;
            current_position: number | null;
            /** @description That one is a deletion: no answer has the trip. */
            deleted: boolean;
            /** @description All revisions, in the order of the log. */
            stored_events: {
                position: number;
                /** @description `trip.processed`, `trip.deleted`, `driver.profile` or `driver.erased`. */
                kind: string;
                revision: number;
                /**
                 * @description `current`: answers are made from it. `without_effect`: it was older than what the log held already.
                 * @enum {unknown}
                 */
                state: "current" | "superseded" | "without_effect";
                fleet_id: string;
                driver_id: string | null;
                trip_id: string | null;
                source_trip_id: string | null;
                trip_start_time: number | null;
                trip_end_time: number | null;
                /** Format: date-time */
                stored_at: string;
                topic: string;
                partition: number;
                offset: number;
                effective: boolean;
                supersedes: number | null;
                superseded_by: number | null;
            }[];
            /** @description Answers show the log up to here. */
            answer_position: number;
            /** @description Records whose content the stored event at `position` held already. */
            duplicates: {
                position: number;
                /** Format: date-time */
                received_at: string;
                topic: string;
                partition: number;
                offset: number;
            }[];
            dead_letters: {
                id: number;
                /** Format: date-time */
                received_at: string;
                /** @description Where the record came from: a topic, or `file:` and the name of a file. */
                topic: string;
                /** @description Of a file: the number of the run that read it. */
                partition: number;
                /** @description Of a file: the line. */
                offset: number;
                /** @description A code; see the filter `reason`. */
                reason: string;
                field: string | null;
                /** @description What is wrong. */
                message: string;
                raw_bytes: number | null;
                resolution: ("retried" | "duplicate" | "discarded") | null;
                resolved_at: string | null;
                note: string | null;
                /**
                 * @description Its fields say that it is about this, or, as it is no JSON object, its text does.
                 * @enum {unknown}
                 */
                match: "parsed" | "text";
            }[];
            /** @description Lists that may lack entries, as a limit was reached. */
            incomplete: string[];
        };
        TraceDriverAnswer: {
            fleet_id: string;
            driver_id: string;
            /**
             * Format: date
             * @description A day in UTC, such as 2025-01-31.
             */
            date: string;
            /** @description How many trips the day's summary sums up. */
            trip_count: number;
            /** @description All revisions of all trips that were ever the driver's on that day, trip by trip. */
            stored_events: {
                position: number;
                /** @description `trip.processed`, `trip.deleted`, `driver.profile` or `driver.erased`. */
                kind: string;
                revision: number;
                /**
                 * @description `current`: answers are made from it. `without_effect`: it was older than what the log held already.
                 * @enum {unknown}
                 */
                state: "current" | "superseded" | "without_effect";
                fleet_id: string;
                driver_id: string | null;
                trip_id: string | null;
                source_trip_id: string | null;
                trip_start_time: number | null;
                trip_end_time: number | null;
                /** Format: date-time */
                stored_at: string;
                topic: string;
                partition: number;
                offset: number;
                effective: boolean;
                supersedes: number | null;
                superseded_by: number | null;
                /** @description The day's sums include it now. */
                counted: boolean;
            }[];
            /** @description The revisions of the driver's profile. */
            profile_events: {
                position: number;
                /** @description `trip.processed`, `trip.deleted`, `driver.profile` or `driver.erased`. */
                kind: string;
                revision: number;
                /**
                 * @description `current`: answers are made from it. `without_effect`: it was older than what the log held already.
                 * @enum {unknown}
                 */
                state: "current" | "superseded" | "without_effect";
                fleet_id: string;
                driver_id: string | null;
                trip_id: string | null;
                source_trip_id: string | null;
                trip_start_time: number | null;
                trip_end_time: number | null;
                /** Format: date-time */
                stored_at: string;
                topic: string;
                partition: number;
                offset: number;
                effective: boolean;
                supersedes: number | null;
                superseded_by: number | null;
            }[];
            /** @description Answers show the log up to here. */
            answer_position: number;
            /** @description Records whose content the stored event at `position` held already. */
            duplicates: {
                position: number;
                /** Format: date-time */
                received_at: string;
                topic: string;
                partition: number;
                offset: number;
            }[];
            dead_letters: {
                id: number;
                /** Format: date-time */
                received_at: string;
                /** @description Where the record came from: a topic, or `file:` and the name of a file. */
                topic: string;
                /** @description Of a file: the number of the run that read it. */
                partition: number;
                /** @description Of a file: the line. */
                offset: number;
                /** @description A code; see the filter `reason`. */
                reason: string;
                field: string | null;
                /** @description What is wrong. */
                message: string;
                raw_bytes: number | null;
                resolution: ("retried" | "duplicate" | "discarded") | null;
                resolved_at: string | null;
                note: string | null;
                /**
                 * @description Its fields say that it is about this, or, as it is no JSON object, its text does.
                 * @enum {unknown}
                 */
                match: "parsed" | "text";
            }[];
            /** @description Lists that may lack entries, as a limit was reached. */
            incomplete: string[];
        };
        DriversPreviewAnswer: {
            trips: number;
            stored_events: number;
        };
        DriversEraseAnswer: {
            /** @description Of the stored event that says that it happened. */
            position: number;
            fleet_id: string;
            /** @description Stands in place of the driver's id from now on. */
            pseudonym: string;
            aggregates_kept: boolean;
            /** @description How many were redacted. */
            stored_events: number;
            /** @description How many were redacted. */
            dead_letters: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The `request_id` of the body. */
        "X-Request-Id": string;
        /** @description Requests that this minute has for you. */
        "RateLimit-Limit": number;
        /** @description Requests that are left of them. */
        "RateLimit-Remaining": number;
        /** @description Seconds until the next minute begins. */
        "RateLimit-Reset": number;
        /** @description The scheme that Authorization must have. */
        "WWW-Authenticate": string;
        /** @description Seconds to wait before the next try. */
        "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getTripProcessedSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Schema (2020-12). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTripDeletedSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Schema (2020-12). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDriverProfileSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Schema (2020-12). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alive"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Requests can be answered. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Requests cannot be answered now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotReady"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Metrics in the text format of Prometheus. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show the status */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusAnswer"];
                };
            };
            /** @description `invalid_parameter` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    projectionsList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List projections */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectionsListAnswer"];
                };
            };
            /** @description `invalid_parameter` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayRollback: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path: {
                /** @description one of drivers, trips, weekly_rollups, daily_rollups, fleets, all, or several separated by commas; trips now includes trail_paths and trip_events. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same roll back was under way already. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayRollbackAnswer"];
                };
            };
            /** @description Begun; `Location` names the replay. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayRollbackAnswer"];
                };
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_refused` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayList: {
        parameters: {
            query?: {
                /** @description a whole number from 1 to 200: how many to list. */
                limit?: number;
                /** @description a whole number from 1 on: an id, to list entries with smaller ones only. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List replays */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayListAnswer"];
                };
            };
            /** @description `invalid_parameter` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayStart: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description one of drivers, trips, weekly_rollups, daily_rollups, fleets, all, or several separated by commas; trips now includes trail_paths and trip_events. */
                    projection: string;
                    /**
                     * @description true or false: whether it promotes itself once verified, unless something unexpected differs.
                     * @default false
                     */
                    promote?: boolean;
                    /**
                     * @description true or false: with `promote`, whether it may whatever differs.
                     * @default false
                     */
                    accept_differences?: boolean;
                    /**
                     * @description trips per second (1 to 999999999), or `auto`: as readers and the live projections allow, or `off`: as fast as it can.
                     * @default auto
                     */
                    throttle?: ("off" | "auto") | number;
                };
            };
        };
        responses: {
            /** @description The same replay was under way already. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayStartAnswer"];
                };
            };
            /** @description Started; `Location` names it. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayStartAnswer"];
                };
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_refused` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayShow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id that the list of replays shows. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show a replay */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayShowAnswer"];
                };
            };
            /** @description `invalid_parameter` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayPause: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path: {
                /** @description The id that the list of replays shows. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Pause a replay */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayPauseAnswer"];
                };
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_refused` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayResume: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path: {
                /** @description The id that the list of replays shows. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Resume a replay */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayResumeAnswer"];
                };
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_refused` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path: {
                /** @description The id that the list of replays shows. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancel a replay */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayCancelAnswer"];
                };
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_refused` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayDrop: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path: {
                /** @description The id that the list of replays shows. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Drop what a replay leaves */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayDropAnswer"];
                };
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_refused` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayPromote: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path: {
                /** @description The id that the list of replays shows. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description true or false: whether to promote although rows differ and no changed version explains it.
                     * @default false
                     */
                    accept_differences?: boolean;
                };
            };
        };
        responses: {
            /** @description Promote a replay */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayPromoteAnswer"];
                };
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_refused` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayThrottle: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path: {
                /** @description The id that the list of replays shows. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description trips per second (1 to 999999999), or `auto`: as readers and the live projections allow, or `off`: as fast as it can. */
                    throttle: ("off" | "auto") | number;
                };
            };
        };
        responses: {
            /** @description Throttle a replay */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayThrottleAnswer"];
                };
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_refused` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    auditList: {
        parameters: {
            query?: {
                /** @description a whole number from 1 to 1000: how many to list. */
                limit?: number;
                /** @description a whole number from 1 on: an id, to list entries with smaller ones only. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List audits */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditListAnswer"];
                };
            };
            /** @description `invalid_parameter` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    auditStart: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A worker does it next, unless one was waiting to be done already. */
            202: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditStartAnswer"];
                };
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable`, `queue_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    auditShow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id that the list of audits shows. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show an audit */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditShowAnswer"];
                };
            };
            /** @description `invalid_parameter` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `audit_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deadLettersShow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id that the list of dead letters shows. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show a dead letter */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLettersShowAnswer"];
                };
            };
            /** @description `invalid_parameter` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `dead_letter_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sourcesAccept: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path: {
                /** @description the name of a topic. */
                topic: string;
                /** @description a partition of the topic. */
                partition: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description "beginning", for the oldest record that the broker holds, or an offset. */
                    from: "beginning" | number;
                };
            };
        };
        responses: {
            /** @description Accept a source */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourcesAcceptAnswer"];
                };
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `source_refused` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retentionRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A worker does it next, unless one was waiting to be done already. */
            202: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionRunAnswer"];
                };
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable`, `queue_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keysList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List API keys */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeysListAnswer"];
                };
            };
            /** @description `invalid_parameter` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keysCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 64 of the characters A-Z, a-z, 0-9, _ and -: the fleet whose reports the key opens. */
                    fleet_id: string;
                };
            };
        };
        responses: {
            /** @description The key is made. */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeysCreateAnswer"];
                };
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keysRevoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path: {
                /** @description Names the key; it is not the key itself. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `key_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    operationsList: {
        parameters: {
            query?: {
                /** @description a whole number from 1 to 1000: how many to list. */
                limit?: number;
                /** @description a whole number from 1 on: an id, to list entries with smaller ones only. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List operations */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationsListAnswer"];
                };
            };
            /** @description `invalid_parameter` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deadLettersList: {
        parameters: {
            query?: {
                /** @description one of null_value, empty_value, record_too_large, invalid_utf8, invalid_json, not_an_object, unknown_kind, missing_field, invalid_field, end_before_start, start_in_future, revision_conflict, driver_erased. */
                reason?: "null_value" | "empty_value" | "record_too_large" | "invalid_utf8" | "invalid_json" | "not_an_object" | "unknown_kind" | "missing_field" | "invalid_field" | "end_before_start" | "start_in_future" | "revision_conflict" | "driver_erased";
                /** @description 1 to 1,000 characters: a topic, or `file:` and the name of a file. */
                source?: string;
                /** @description a partition, 0 to 2147483647; of a file, the number of the run that read it. */
                partition?: number;
                /** @description 1 to 1,000 characters: the path of the field at fault, or of one above it: `/events` for all of them. */
                field?: string;
                /** @description 1 to 64 of the characters A-Z, a-z, 0-9, _ and -: a fleet that the record names, whether or not it is JSON. */
                fleet_id?: string;
                /** @description a time with its zone, such as 2025-01-31T08:00:00Z: those received then or later. */
                since?: string;
                /** @description a time with its zone, such as 2025-01-31T08:00:00Z: those received before. */
                until?: string;
                /** @description true or false: whether to list settled ones too. */
                all?: boolean;
                /** @description a whole number from 1 to 1000: how many to list. */
                limit?: number;
                /** @description a whole number from 1 on: an id, to list entries with smaller ones only. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List dead letters */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLettersListAnswer"];
                };
            };
            /** @description `invalid_parameter` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deadLettersSummary: {
        parameters: {
            query?: {
                /** @description one of null_value, empty_value, record_too_large, invalid_utf8, invalid_json, not_an_object, unknown_kind, missing_field, invalid_field, end_before_start, start_in_future, revision_conflict, driver_erased. */
                reason?: "null_value" | "empty_value" | "record_too_large" | "invalid_utf8" | "invalid_json" | "not_an_object" | "unknown_kind" | "missing_field" | "invalid_field" | "end_before_start" | "start_in_future" | "revision_conflict" | "driver_erased";
                /** @description 1 to 1,000 characters: a topic, or `file:` and the name of a file. */
                source?: string;
                /** @description a partition, 0 to 2147483647; of a file, the number of the run that read it. */
                partition?: number;
                /** @description 1 to 1,000 characters: the path of the field at fault, or of one above it: `/events` for all of them. */
                field?: string;
                /** @description 1 to 64 of the characters A-Z, a-z, 0-9, _ and -: a fleet that the record names, whether or not it is JSON. */
                fleet_id?: string;
                /** @description a time with its zone, such as 2025-01-31T08:00:00Z: those received then or later. */
                since?: string;
                /** @description a time with its zone, such as 2025-01-31T08:00:00Z: those received before. */
                until?: string;
                /** @description true or false: whether to count settled ones too. */
                all?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Count dead letters by reason and field */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLettersSummaryAnswer"];
                };
            };
            /** @description `invalid_parameter` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deadLettersRetry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 1000 ids of dead letters. */
                    ids?: number[];
                    /**
                     * @description true, or absent: instead of ids, all open ones, or those that match the filters.
                     * @enum {boolean}
                     */
                    all_open?: true;
                    /**
                     * @description one of null_value, empty_value, record_too_large, invalid_utf8, invalid_json, not_an_object, unknown_kind, missing_field, invalid_field, end_before_start, start_in_future, revision_conflict, driver_erased.
                     * @enum {unknown}
                     */
                    reason?: "null_value" | "empty_value" | "record_too_large" | "invalid_utf8" | "invalid_json" | "not_an_object" | "unknown_kind" | "missing_field" | "invalid_field" | "end_before_start" | "start_in_future" | "revision_conflict" | "driver_erased";
                    /** @description 1 to 1,000 characters: a topic, or `file:` and the name of a file. */
                    source?: string;
                    /** @description a partition, 0 to 2147483647; of a file, the number of the run that read it. */
                    partition?: number;
                    /** @description 1 to 1,000 characters: the path of the field at fault, or of one above it: `/events` for all of them. */
                    field?: string;
                    /** @description 1 to 64 of the characters A-Z, a-z, 0-9, _ and -: a fleet that the record names, whether or not it is JSON. */
                    fleet_id?: string;
                    /**
                     * Format: date-time
                     * @description a time with its zone, such as 2025-01-31T08:00:00Z: those received then or later.
                     */
                    since?: string;
                    /**
                     * Format: date-time
                     * @description a time with its zone, such as 2025-01-31T08:00:00Z: those received before.
                     */
                    until?: string;
                    /**
                     * @description 0 to 1000000: with `all_open`, how many to leave out at the beginning, as `next_skip` of the request before says.
                     * @default 0
                     */
                    skip?: number;
                };
            };
        };
        responses: {
            /** @description Retry dead letters */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLettersRetryAnswer"];
                };
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deadLettersDiscard: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 1000 ids of dead letters. */
                    ids?: number[];
                    /**
                     * @description true, or absent: instead of ids, all open ones, or those that match the filters.
                     * @enum {boolean}
                     */
                    all_open?: true;
                    /**
                     * @description one of null_value, empty_value, record_too_large, invalid_utf8, invalid_json, not_an_object, unknown_kind, missing_field, invalid_field, end_before_start, start_in_future, revision_conflict, driver_erased.
                     * @enum {unknown}
                     */
                    reason?: "null_value" | "empty_value" | "record_too_large" | "invalid_utf8" | "invalid_json" | "not_an_object" | "unknown_kind" | "missing_field" | "invalid_field" | "end_before_start" | "start_in_future" | "revision_conflict" | "driver_erased";
                    /** @description 1 to 1,000 characters: a topic, or `file:` and the name of a file. */
                    source?: string;
                    /** @description a partition, 0 to 2147483647; of a file, the number of the run that read it. */
                    partition?: number;
                    /** @description 1 to 1,000 characters: the path of the field at fault, or of one above it: `/events` for all of them. */
                    field?: string;
                    /** @description 1 to 64 of the characters A-Z, a-z, 0-9, _ and -: a fleet that the record names, whether or not it is JSON. */
                    fleet_id?: string;
                    /**
                     * Format: date-time
                     * @description a time with its zone, such as 2025-01-31T08:00:00Z: those received then or later.
                     */
                    since?: string;
                    /**
                     * Format: date-time
                     * @description a time with its zone, such as 2025-01-31T08:00:00Z: those received before.
                     */
                    until?: string;
                    /** @description 1 to 1,000 characters: why, for good. */
                    note: string;
                };
            };
        };
        responses: {
            /** @description Discard dead letters */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLettersDiscardAnswer"];
                };
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    traceTrip: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the trip_id of an answer: 32 of the digits 0-9, a-f. */
                trip_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Trace a trip */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceTripAnswer"];
                };
            };
            /** @description `invalid_parameter` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `trip_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    traceDriver: {
        parameters: {
            query: {
                /** @description a day in UTC, such as 2025-01-31. */
                date: string;
            };
            header?: never;
            path: {
                /** @description 1 to 64 of the characters A-Z, a-z, 0-9, _ and -: the driver's fleet. */
                fleet_id: string;
                /** @description the driver_id of an answer. */
                driver_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Trace a driver's day */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceDriverAnswer"];
                };
            };
            /** @description `invalid_parameter` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `driver_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    driversPreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 1 to 64 of the characters A-Z, a-z, 0-9, _ and -: the driver's fleet. */
                fleet_id: string;
                /** @description the driver_id of an answer. */
                driver_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Preview an erasure */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DriversPreviewAnswer"];
                };
            };
            /** @description `invalid_parameter` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `driver_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    driversErase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who acts, for the audit trail: 1 to 128 printable characters, as UTF-8. */
                "Milepost-Operator"?: string;
            };
            path: {
                /** @description 1 to 64 of the characters A-Z, a-z, 0-9, _ and -: the driver's fleet. */
                fleet_id: string;
                /** @description the driver_id of an answer. */
                driver_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 1,000 characters: why. It is kept for good, so it must not name the person. */
                    reason: string;
                    /**
                     * @description true or false: whether the daily and weekly figures stay, under a pseudonym.
                     * @default false
                     */
                    keep_aggregates?: boolean;
                };
            };
        };
        responses: {
            /** @description Erase a driver */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DriversEraseAnswer"];
                };
            };
            /** @description `invalid_parameter`, `bad_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `driver_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `erasure_refused` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded`, `unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    followStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events without end. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description `invalid_parameter` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `request_timeout` */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `expectation_failed` */
            417: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `headers_too_large` */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
