CREATE TABLE "job_log" (
	"job_id" text COLLATE "C" NOT NULL,
	"number" integer NOT NULL,
	"attempt" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"text" text COLLATE "C" NOT NULL,
	CONSTRAINT "job_log_job_id_number_pk" PRIMARY KEY("job_id","number")
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "log_lines" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "job_log" ADD CONSTRAINT "job_log_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;