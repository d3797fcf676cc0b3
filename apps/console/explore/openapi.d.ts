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
    "/api/v1/drivers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List drivers
         * @description The drivers of the fleet, whatever their status, in the order in which they first appeared.
         */
        get: operations["listDrivers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/driver/{driver_id}/trips": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List trips of a driver
         * @description Ordered by start time. A trip appears 4 hours after its end.
         */
        get: operations["listTrips"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trip/trip_id/{trip_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trip detail by trip_id
         * @description One trip with its path and its driving events.
         */
        get: operations["getTrip"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trip/tracking_id/{tracking_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trip detail by tracking_id
         * @description All trips with this tracking id, of whichever drivers, 5 per page, ordered by start time.
         */
        get: operations["getTripsByTrackingId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/driver-aggregate/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Daily driver summary
         * @description How drivers did on a UTC day. A day without trips has zeros and no score.
         */
        get: operations["getDailySummaries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/driver-aggregate/weekly": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Weekly driver summary
         * @description How drivers did in a week, Monday to Sunday, with each day driven. The running week ends yesterday.
         */
        get: operations["getWeeklySummaries"];
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
             *     - `unauthorized`: The API key is missing, malformed, unknown or revoked.
             *     - `driver_not_found`: The fleet has no such driver; for summaries, `errors` names every unknown one.
             *     - `trip_not_found`: The fleet has no such trip, or it ended less than 4 hours ago.
             * @example invalid_parameter
             * @enum {unknown}
             */
            code: "invalid_parameter" | "bad_request" | "not_found" | "request_timeout" | "method_not_allowed" | "unsupported_media_type" | "expectation_failed" | "rate_limited" | "headers_too_large" | "internal" | "overloaded" | "unavailable" | "unauthorized" | "driver_not_found" | "trip_not_found";
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
            reason: "stopping" | "database_unavailable" | "read_tables_unavailable";
        };
        /** @description A driver of the fleet. Every field but `driver_id` may be null. */
        Driver: {
            /**
             * @description Names the driver within the fleet.
             * @example driver-00001
             */
            driver_id: string;
            /**
             * @description First name, or null.
             * @example Latoya
             */
            first_name: string | null;
            /**
             * @description Last name, or null.
             * @example Lopez
             */
            last_name: string | null;
            /**
             * @description Email address, or null.
             * @example latoya.lopez.1@example.com
             */
            email: string | null;
            /**
             * @description Another name of the driver, or null.
             * @example Van 7
             */
            alias: string | null;
            /**
             * Format: date
             * @description UTC date of the first trip; null without trips.
             * @example 2026-10-07
             */
            first_travel_date: string | null;
            /**
             * Format: date
             * @description UTC date of the last trip; null without trips.
             * @example 2026-11-20
             */
            last_travel_date: string | null;
        };
        /** @description A page of drivers. */
        DriverPage: {
            /**
             * @description Matching records over all pages.
             * @example 40
             */
            count: number;
            /**
             * @description Number of this page; the first is 1.
             * @example 1
             */
            current_page: number;
            /**
             * @description Next page number; null when there is none.
             * @example 2
             */
            next_page: number | null;
            /**
             * @description Records per page.
             * @example 5
             */
            limit: number;
            /** @description The drivers of the page. */
            drivers: components["schemas"]["Driver"][];
        };
        /** @description Counts and durations of driving events. */
        EventSummary: {
            /**
             * @description Number of phone uses.
             * @example 3
             */
            phone_use_count: number;
            /**
             * @description Number of rapid accelerations.
             * @example 3
             */
            rapid_acceleration_count: number;
            /**
             * @description Number of times the driver braked hard.
             * @example 1
             */
            hard_brake_count: number;
            /**
             * @description Number of times the driver was too fast.
             * @example 2
             */
            overspeeding_count: number;
            /**
             * @description Time of using the phone, in seconds.
             * @example 52.592
             */
            phone_use_time_seconds: number;
            /**
             * @description Time above the speed limit, in seconds.
             * @example 31.777
             */
            overspeeding_time_seconds: number;
        };
        /** @description A trip as lists have it: without its path and its driving events. */
        Trip: {
            /**
             * @description Names the trip: 32 lowercase hexadecimal digits.
             * @example 2f5e76a3ae0e809f384603a8ee6cee59
             */
            trip_id: string;
            /**
             * @description Who drove.
             * @example driver-00001
             */
            driver_id: string;
            /**
             * @description Start, in epoch milliseconds, UTC.
             * @example 1791825222147
             */
            trip_start_time: number;
            /**
             * @description End, in epoch milliseconds, UTC.
             * @example 1791827756573
             */
            trip_end_time: number;
            /**
             * @description Driving time, in seconds. It need not be the end less the start.
             * @example 2534
             */
            duration_seconds: number;
            /**
             * @description Distance, in miles.
             * @example 15.32
             */
            distance_miles: number;
            /**
             * @description Insurance period 1, 2 or 3; null for fleets without insurance periods.
             * @example 2
             * @enum {integer|null}
             */
            insurance_period: 1 | 2 | 3 | null;
            /**
             * @description Latitude of the start, in decimal degrees.
             * @example 33.400457
             */
            start_latitude: number;
            /**
             * @description Longitude of the start, in decimal degrees.
             * @example -112.035184
             */
            start_longitude: number;
            /**
             * @description Latitude of the end, in decimal degrees.
             * @example 33.546032
             */
            end_latitude: number;
            /**
             * @description Longitude of the end, in decimal degrees.
             * @example -112.101701
             */
            end_longitude: number;
            /**
             * @description Driving time at night, in seconds.
             * @example 0
             */
            night_driving_seconds: number;
            /**
             * @description Distance on highways, in miles.
             * @example 4.89
             */
            highway_miles: number;
            /**
             * @description Distance at night, in miles.
             * @example 0
             */
            night_driving_miles: number;
            event_summary: components["schemas"]["EventSummary"];
        };
        /** @description A page of trips. */
        TripPage: {
            /**
             * @description Matching records over all pages.
             * @example 40
             */
            count: number;
            /**
             * @description Number of this page; the first is 1.
             * @example 1
             */
            current_page: number;
            /**
             * @description Next page number; null when there is none.
             * @example 2
             */
            next_page: number | null;
            /**
             * @description Records per page.
             * @example 5
             */
            limit: number;
            /** @description The trips of the page. */
            trips: components["schemas"]["Trip"][];
        };
        /** @description What the driver should work on, by this trip alone. */
        TripFocusArea: {
            /**
             * @description Whether to work on phone use.
             * @example false
             */
            is_phone_use: boolean;
            /**
             * @description Whether to work on acceleration.
             * @example true
             */
            is_rapid_acceleration: boolean;
            /**
             * @description Whether to work on braking.
             * @example false
             */
            is_hard_brake: boolean;
            /**
             * @description Whether to work on speed.
             * @example false
             */
            is_overspeeding: boolean;
        };
        /** @description A recorded place of the path. */
        TrailPoint: {
            /**
             * @description When the vehicle was here, in epoch milliseconds, UTC.
             * @example 1791825225147
             */
            timestamp: number;
            /**
             * @description Latitude, in decimal degrees.
             * @example 33.400512
             */
            latitude: number;
            /**
             * @description Longitude, in decimal degrees.
             * @example -112.035201
             */
            longitude: number;
            /**
             * @description Heading in degrees relative to North.
             * @example 344.5
             */
            course: number;
        };
        /** @description A driving event: something that happened on the trip. */
        TripEvent: {
            /**
             * @description Code of the kind: 1 RAPID_ACCELERATION, 2 HARD_BRAKE, 7 PHONE_USE, 9 OVERSPEEDING.
             * @example 9
             * @enum {integer}
             */
            event_type: 1 | 2 | 7 | 9;
            /**
             * @description Name of the kind.
             * @example OVERSPEEDING
             * @enum {string}
             */
            event_name: "RAPID_ACCELERATION" | "HARD_BRAKE" | "PHONE_USE" | "OVERSPEEDING";
            /**
             * @description Start, in epoch milliseconds, UTC.
             * @example 1791826000000
             */
            event_start_timestamp: number;
            /**
             * @description End, in epoch milliseconds, UTC.
             * @example 1791826025000
             */
            event_end_timestamp: number;
            /**
             * @description Latitude of the start, in decimal degrees.
             * @example 33.452118
             */
            event_start_latitude: number;
            /**
             * @description Longitude of the start, in decimal degrees.
             * @example -112.061422
             */
            event_start_longitude: number;
            /**
             * @description Latitude of the end, in decimal degrees.
             * @example 33.456871
             */
            event_end_latitude: number;
            /**
             * @description Longitude of the end, in decimal degrees.
             * @example -112.063107
             */
            event_end_longitude: number;
            /** @description Empty, except for OVERSPEEDING, where all three are there. */
            event_data: {
                /**
                 * @description Speed of the vehicle, in miles an hour.
                 * @example 52.4
                 */
                user_speed_mph?: number;
                /**
                 * @description Speed limit, in miles an hour.
                 * @example 45
                 */
                speed_limit_mph?: number;
                /**
                 * @description Highest speed of the vehicle, in miles an hour.
                 * @example 57.1
                 */
                max_user_speed_mph?: number;
            };
        };
        /** @description A trip with its focus areas, its path and its driving events. */
        TripDetail: {
            /**
             * @description Names the trip: 32 lowercase hexadecimal digits.
             * @example 2f5e76a3ae0e809f384603a8ee6cee59
             */
            trip_id: string;
            /**
             * @description Who drove.
             * @example driver-00001
             */
            driver_id: string;
            /**
             * @description Start, in epoch milliseconds, UTC.
             * @example 1791825222147
             */
            trip_start_time: number;
            /**
             * @description End, in epoch milliseconds, UTC.
             * @example 1791827756573
             */
            trip_end_time: number;
            /**
             * @description Driving time, in seconds. It need not be the end less the start.
             * @example 2534
             */
            duration_seconds: number;
            /**
             * @description Distance, in miles.
             * @example 15.32
             */
            distance_miles: number;
            /**
             * @description Insurance period 1, 2 or 3; null for fleets without insurance periods.
             * @example 2
             * @enum {integer|null}
             */
            insurance_period: 1 | 2 | 3 | null;
            /**
             * @description Latitude of the start, in decimal degrees.
             * @example 33.400457
             */
            start_latitude: number;
            /**
             * @description Longitude of the start, in decimal degrees.
             * @example -112.035184
             */
            start_longitude: number;
            /**
             * @description Latitude of the end, in decimal degrees.
             * @example 33.546032
             */
            end_latitude: number;
            /**
             * @description Longitude of the end, in decimal degrees.
             * @example -112.101701
             */
            end_longitude: number;
            /**
             * @description Driving time at night, in seconds.
             * @example 0
             */
            night_driving_seconds: number;
            /**
             * @description Distance on highways, in miles.
             * @example 4.89
             */
            highway_miles: number;
            /**
             * @description Distance at night, in miles.
             * @example 0
             */
            night_driving_miles: number;
            event_summary: components["schemas"]["EventSummary"];
            focus_area: components["schemas"]["TripFocusArea"];
            /** @description The route of the vehicle, in the order recorded. */
            trail_path: components["schemas"]["TrailPoint"][];
            /** @description The driving events, in the order recorded. */
            events: components["schemas"]["TripEvent"][];
        };
        /** @description A page of trips with their paths and driving events. */
        TripDetailPage: {
            /**
             * @description Matching records over all pages.
             * @example 40
             */
            count: number;
            /**
             * @description Number of this page; the first is 1.
             * @example 1
             */
            current_page: number;
            /**
             * @description Next page number; null when there is none.
             * @example 2
             */
            next_page: number | null;
            /**
             * @description Records per page.
             * @example 5
             */
            limit: number;
            /** @description The trips of the page. */
            trips: components["schemas"]["TripDetail"][];
        };
        /** @description What the driver should work on: the areas that cost the most points. */
        SummaryFocusArea: {
            /**
             * @description Whether to work on phone use.
             * @example true
             */
            is_phone_use: boolean;
            /**
             * @description Whether to work on speed.
             * @example false
             */
            is_overspeeding: boolean;
            /**
             * @description Whether to work on braking.
             * @example false
             */
            is_hard_brake: boolean;
            /**
             * @description Whether to work on acceleration.
             * @example false
             */
            is_acceleration: boolean;
        };
        /** @description How a driver did on a UTC day. A day without trips has zeros and no score. */
        DailySummary: {
            /**
             * @description Driving score in points from 0 to 100, with one decimal; null without trips.
             * @example 84.5
             */
            fm_score: number | null;
            /**
             * @description Grade of the score: excellent from 85, good from 70, fair from 50, else poor; null without trips.
             * @example good
             * @enum {string|null}
             */
            fm_grade: "excellent" | "good" | "fair" | "poor" | null;
            /**
             * @description Number of trips.
             * @example 1
             */
            trip_count: number;
            /**
             * @description Distance, in miles.
             * @example 33.52
             */
            distance_miles: number;
            /**
             * @description Driving time, in seconds.
             * @example 3527
             */
            duration_seconds: number;
            /**
             * @description Driving time at night, in seconds.
             * @example 0
             */
            night_driving_seconds: number;
            /**
             * @description Distance on highways, in miles.
             * @example 23.46
             */
            highway_miles: number;
            events_summary: components["schemas"]["EventSummary"];
            focus_area: components["schemas"]["SummaryFocusArea"];
            /**
             * Format: date
             * @description The summarised UTC date.
             * @example 2026-11-20
             */
            date: string;
        };
        /** @description A driver, and how the driver did. */
        DailyDriverSummary: {
            driver_info: components["schemas"]["Driver"];
            driving_summary: components["schemas"]["DailySummary"];
        };
        /** @description One element per requested driver, in the order of the request. */
        DailySummaries: {
            /** @description One element per requested driver, in the order of the request. */
            data: components["schemas"]["DailyDriverSummary"][];
        };
        /** @description How a driver did in a week, scored from the week's sums. */
        WeeklySummary: {
            /**
             * @description Driving score in points from 0 to 100, with one decimal; null without trips.
             * @example 84.5
             */
            fm_score: number | null;
            /**
             * @description Grade of the score: excellent from 85, good from 70, fair from 50, else poor; null without trips.
             * @example good
             * @enum {string|null}
             */
            fm_grade: "excellent" | "good" | "fair" | "poor" | null;
            /**
             * @description Number of trips.
             * @example 1
             */
            trip_count: number;
            /**
             * @description Distance, in miles.
             * @example 33.52
             */
            distance_miles: number;
            /**
             * @description Driving time, in seconds.
             * @example 3527
             */
            duration_seconds: number;
            /**
             * @description Driving time at night, in seconds.
             * @example 0
             */
            night_driving_seconds: number;
            /**
             * @description Distance on highways, in miles.
             * @example 23.46
             */
            highway_miles: number;
            events_summary: components["schemas"]["EventSummary"];
            focus_area: components["schemas"]["SummaryFocusArea"];
            /**
             * Format: date
             * @description The Monday of the week, a UTC date.
             * @example 2026-11-16
             */
            start_date: string;
            /**
             * Format: date
             * @description The Sunday that ends the week, a UTC date.
             * @example 2026-11-22
             */
            end_date: string;
            /** @description One entry for each day driven, ascending. */
            daily_summary_breakdown: components["schemas"]["DailySummary"][];
        };
        /** @description A driver, and how the driver did. */
        WeeklyDriverSummary: {
            driver_info: components["schemas"]["Driver"];
            driving_summary: components["schemas"]["WeeklySummary"];
        };
        /** @description One element per requested driver, in the order of the request. */
        WeeklySummaries: {
            /** @description One element per requested driver, in the order of the request. */
            data: components["schemas"]["WeeklyDriverSummary"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The `request_id` of the body. */
        "X-Request-Id": string;
        /** @description Names this version of the answer. */
        ETag: string;
        /** @description Position of your fleet's last stored event that the answer reflects. */
        "Milepost-Position": number;
        /** @description How old the answer may be: whole seconds that the oldest stored event has waited; 0 when none waits. */
        "Milepost-Lag-Seconds": number;
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
    listDrivers: {
        parameters: {
            query?: {
                /** @description Page number. A page past the end is empty. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
            };
            header: {
                /** @description Required on every request, although none has a body. */
                "Content-Type": "application/json";
                /** @description The `ETag` of an answer that you have: 304 says that it is still current. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of drivers. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Milepost-Position": components["headers"]["Milepost-Position"];
                    "Milepost-Lag-Seconds": components["headers"]["Milepost-Lag-Seconds"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DriverPage"];
                };
            };
            /** @description What `If-None-Match` names is still current. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Milepost-Position": components["headers"]["Milepost-Position"];
                    "Milepost-Lag-Seconds": components["headers"]["Milepost-Lag-Seconds"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
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
    listTrips: {
        parameters: {
            query: {
                /**
                 * @description Trips that start on this UTC date or later. Within the last 6 months.
                 * @example 2025-01-13
                 */
                start_date: string;
                /** @description Page number. A page past the end is empty. */
                page?: number;
                /** @description Records per page. */
                limit?: number;
            };
            header: {
                /** @description Required on every request, although none has a body. */
                "Content-Type": "application/json";
                /** @description The `ETag` of an answer that you have: 304 says that it is still current. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Whose trips, percent-encoded.
                 * @example driver-00001
                 */
                driver_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of trips. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Milepost-Position": components["headers"]["Milepost-Position"];
                    "Milepost-Lag-Seconds": components["headers"]["Milepost-Lag-Seconds"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TripPage"];
                };
            };
            /** @description What `If-None-Match` names is still current. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Milepost-Position": components["headers"]["Milepost-Position"];
                    "Milepost-Lag-Seconds": components["headers"]["Milepost-Lag-Seconds"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
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
    getTrip: {
        parameters: {
            query?: {
                /** @description Page number. A page past the end is empty. */
                page?: number;
            };
            header: {
                /** @description Required on every request, although none has a body. */
                "Content-Type": "application/json";
                /** @description The `ETag` of an answer that you have: 304 says that it is still current. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description 32 lowercase hexadecimal digits.
                 * @example 85cd1773b3e60aa669b7f486286f9c49
                 */
                trip_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of trips with their paths and driving events. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Milepost-Position": components["headers"]["Milepost-Position"];
                    "Milepost-Lag-Seconds": components["headers"]["Milepost-Lag-Seconds"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TripDetailPage"];
                };
            };
            /** @description What `If-None-Match` names is still current. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Milepost-Position": components["headers"]["Milepost-Position"];
                    "Milepost-Lag-Seconds": components["headers"]["Milepost-Lag-Seconds"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
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
    getTripsByTrackingId: {
        parameters: {
            query?: {
                /** @description Page number. A page past the end is empty. */
                page?: number;
            };
            header: {
                /** @description Required on every request, although none has a body. */
                "Content-Type": "application/json";
                /** @description The `ETag` of an answer that you have: 304 says that it is still current. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The id set through the SDK, percent-encoded.
                 * @example pool-car
                 */
                tracking_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of trips with their paths and driving events. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Milepost-Position": components["headers"]["Milepost-Position"];
                    "Milepost-Lag-Seconds": components["headers"]["Milepost-Lag-Seconds"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TripDetailPage"];
                };
            };
            /** @description What `If-None-Match` names is still current. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Milepost-Position": components["headers"]["Milepost-Position"];
                    "Milepost-Lag-Seconds": components["headers"]["Milepost-Lag-Seconds"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
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
    getDailySummaries: {
        parameters: {
            query: {
                /**
                 * @description The summarised UTC day. Within the last 6 months, and before today.
                 * @example 2025-01-13
                 */
                start_date: string;
                /**
                 * @description Repeated once per driver, 1 to 20 of them. The answer has their order.
                 * @example [
                 *       "driver-00001"
                 *     ]
                 */
                driver_id: string[];
            };
            header: {
                /** @description Required on every request, although none has a body. */
                "Content-Type": "application/json";
                /** @description The `ETag` of an answer that you have: 304 says that it is still current. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One element per requested driver, in the order of the request. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Milepost-Position": components["headers"]["Milepost-Position"];
                    "Milepost-Lag-Seconds": components["headers"]["Milepost-Lag-Seconds"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DailySummaries"];
                };
            };
            /** @description What `If-None-Match` names is still current. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Milepost-Position": components["headers"]["Milepost-Position"];
                    "Milepost-Lag-Seconds": components["headers"]["Milepost-Lag-Seconds"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
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
    getWeeklySummaries: {
        parameters: {
            query: {
                /**
                 * @description The Monday of the summarised week. Within the last 6 months, and before today.
                 * @example 2025-01-13
                 */
                start_date: string;
                /**
                 * @description Repeated once per driver, 1 to 20 of them. The answer has their order.
                 * @example [
                 *       "driver-00001"
                 *     ]
                 */
                driver_id: string[];
            };
            header: {
                /** @description Required on every request, although none has a body. */
                "Content-Type": "application/json";
                /** @description The `ETag` of an answer that you have: 304 says that it is still current. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One element per requested driver, in the order of the request. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Milepost-Position": components["headers"]["Milepost-Position"];
                    "Milepost-Lag-Seconds": components["headers"]["Milepost-Lag-Seconds"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WeeklySummaries"];
                };
            };
            /** @description What `If-None-Match` names is still current. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Milepost-Position": components["headers"]["Milepost-Position"];
                    "Milepost-Lag-Seconds": components["headers"]["Milepost-Lag-Seconds"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
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
}
