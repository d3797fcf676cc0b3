export const POSTGRES_IMAGE = 'postgres:18-bookworm';
export const KAFKA_IMAGE = 'apache/kafka:4.1.1';
export const REDIS_IMAGE = 'redis:7-bookworm';
export const CITUS_IMAGE = 'citusdata/citus:14.0.1';
