! autotune.f90 - autotune for Fortran: created tuners, whose kernels are Fortran procedures.
!
!     type(autotune_space)   :: space
!     type(autotune_tuner)   :: tuner
!     type(autotune_options) :: options
!
!     call space%axis('tile', [16, 32, 64, 128])
!     call space%axis('threads', [1, 2, 4, 8])
!     call autotune_create(tuner, 'smooth', space)
!
!     options%key = autotune_key(size(a, 1), size(a, 2))
!     options%restore = [autotune_buffer(b)]
!     call autotune_call(tuner, options, smooth_with)   ! the first call with a key races; later calls run the winner
!     contains
!     subroutine smooth_with(config)
!         type(autotune_config), intent(inout) :: config
!         call smooth(a, b, config%get_int('tile'), config%get_int('threads'))
!     end subroutine
!
! To use it, copy this file, autotune_fortran.c and autotune.h into the project. The C file has the implementation:
!
!     gcc -O2 -c autotune_fortran.c && gfortran -O2 autotune.f90 program.f90 autotune_fortran.o -pthread
!
! Names, options and statuses are those of autotune.h, which describes each of them. docs/fortran.md is the chapter of
! the manual. Procedures that can fail have an optional argument `status`. The library writes an error as a sentence to
! standard error, and autotune_last_error() returns the sentence. An error never ends the program. Any number of threads
! may call these procedures at once.
!
! Fortran 2018, MIT License, as autotune.h.

! The structs and functions of autotune.h, member by member. The module below uses them; other modules may use them,
! too.
module autotune_c
    use, intrinsic :: iso_c_binding
    implicit none
    public

    integer, parameter :: AUTOTUNE_MAX_KEY = 8, AUTOTUNE_MAX_AXES = 16, AUTOTUNE_MAX_BUFFERS = 8

    type, bind(c) :: c_key
        integer(c_int32_t) :: count, types
        integer(c_int64_t) :: word(AUTOTUNE_MAX_KEY)
        type(c_ptr) :: text
    end type
    type, bind(c) :: c_buffer
        type(c_ptr) :: memory
        integer(c_size_t) :: bytes
        integer(c_int) :: type
        real(c_double) :: tolerance
    end type
    type, bind(c) :: c_buffers
        type(c_buffer) :: at(AUTOTUNE_MAX_BUFFERS)
        integer(c_size_t) :: count
    end type
    type, bind(c) :: c_config
        integer(c_size_t) :: index, count
        type(c_ptr) :: names, labels, types
        integer(c_int64_t) :: values(AUTOTUNE_MAX_AXES)
    end type
    type(c_config), parameter :: NO_CONFIG = c_config(0, 0, c_null_ptr, c_null_ptr, c_null_ptr, 0)
    type, bind(c) :: c_result
        integer(c_int) :: status, verdict
        logical(c_bool) :: cache_hit
        integer(c_size_t) :: index
        real(c_double) :: median_ns, min_ns, runner_up_ns, default_ns, slowest_ns, lead, lead_low, lead_high
        type(c_ptr) :: doubt, note
        integer(c_size_t) :: space_size, refused, tried, failed, launches
        real(c_double) :: seconds, loss_seconds
        type(c_ptr) :: guessed_from
        real(c_double) :: in_use_ns
        type(c_config) :: config
    end type
    type, bind(c) :: c_options
        character(kind=c_char) :: first
        type(c_ptr) :: second
        type(c_key) :: key
        type(c_ptr) :: name, version
        integer(c_int) :: mode, preset, strategy, cache_state
        real(c_double) :: launch_timeout
        integer(c_int) :: compile_threads
        real(c_double) :: compile_timeout
        real(c_double) :: max_seconds, max_loss, work
        integer(c_int) :: watch
        real(c_double) :: margin
        integer(c_int64_t) :: max_trials, top_k, seed
        real(c_double) :: stop_at_ns
        type(c_buffers) :: restore, zero, outputs
        type(c_funptr) :: setup, verify
        type(c_ptr) :: user, backend, ranks
        integer(c_int) :: agree, first_rank, cache, unseen, isolate
        type(c_ptr) :: result, place
    end type
    type, bind(c) :: c_axis
        type(c_ptr) :: name, values
        integer(c_size_t) :: count
        integer(c_int) :: type
        type(c_ptr) :: labels
        type(c_funptr) :: where
    end type
    type, bind(c) :: c_desc
        type(c_ptr) :: name, axes
        integer(c_size_t) :: axis_count
        type(c_ptr) :: configs
        integer(c_size_t) :: config_count
        type(c_funptr) :: where, model, priority, launch
        type(c_ptr) :: user
    end type
    type, bind(c) :: c_step
        type(c_config) :: config
        integer(c_int64_t) :: ticket
        type(c_ptr) :: key
    end type

    interface
        function c_create(desc) bind(c, name='autotune_create') result(tuner)
            import
            type(c_desc), intent(in) :: desc
            type(c_ptr) :: tuner
        end function
        subroutine c_destroy(tuner) bind(c, name='autotune_destroy')
            import
            type(c_ptr), value :: tuner
        end subroutine
        function c_call(tuner, options) bind(c, name='autotune_call') result(status)
            import
            type(c_ptr), value :: tuner
            type(c_options), intent(in) :: options
            integer(c_int) :: status
        end function
        function c_tune(tuner, options) bind(c, name='autotune_tune') result(status)
            import
            type(c_ptr), value :: tuner
            type(c_options), intent(in) :: options
            integer(c_int) :: status
        end function
        function c_add(tuner, options) bind(c, name='autotune_add') result(status)
            import
            type(c_ptr), value :: tuner
            type(c_options), intent(in) :: options
            integer(c_int) :: status
        end function
        function c_tune_all() bind(c, name='autotune_tune_all') result(status)
            import
            integer(c_int) :: status
        end function
        function c_step_begin(tuner, options, step) bind(c, name='autotune_step_begin') result(status)
            import
            type(c_ptr), value :: tuner
            type(c_options), intent(in) :: options
            type(c_step), intent(inout) :: step
            integer(c_int) :: status
        end function
        function c_step_end(step, ns) bind(c, name='autotune_step_end') result(status)
            import
            type(c_step), intent(inout) :: step
            real(c_double), value :: ns
            integer(c_int) :: status
        end function
        function c_lookup(name, key, winner) bind(c, name='autotune_lookup') result(status)
            import
            character(kind=c_char), intent(in) :: name(*)
            type(c_key), value :: key
            type(c_config), intent(inout) :: winner
            integer(c_int) :: status
        end function
        function c_save(path) bind(c, name='autotune_save') result(status)
            import
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int) :: status
        end function
        function c_load(path) bind(c, name='autotune_load') result(status)
            import
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int) :: status
        end function
        function c_clear(name, key, where) bind(c, name='autotune_clear') result(status)
            import
            type(c_ptr), value :: name, key
            integer(c_int), value :: where
            integer(c_int) :: status
        end function
        function c_open_keys() bind(c, name='autotune_open_keys') result(keys)
            import
            integer(c_size_t) :: keys
        end function
        function c_shutdown() bind(c, name='autotune_shutdown') result(status)
            import
            integer(c_int) :: status
        end function
        function c_agree(ranks) bind(c, name='autotune_agree') result(status)
            import
            type(c_ptr), value :: ranks
            integer(c_int) :: status
        end function
        pure function c_anchor(x, base, min, max) bind(c, name='autotune_anchor') result(power)
            import
            integer(c_int64_t), value :: x, base, min, max
            integer(c_int64_t) :: power
        end function
        pure function c_get_int(config, name) bind(c, name='autotune_get_int') result(value)
            import
            type(c_config), intent(in) :: config
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int64_t) :: value
        end function
        pure function c_get_double(config, name) bind(c, name='autotune_get_double') result(value)
            import
            type(c_config), intent(in) :: config
            character(kind=c_char), intent(in) :: name(*)
            real(c_double) :: value
        end function
        function c_get_string(config, name) bind(c, name='autotune_get_string') result(value)
            import
            type(c_config), intent(in) :: config
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr) :: value
        end function
        function c_get_label(config, name) bind(c, name='autotune_get_label') result(value)
            import
            type(c_config), intent(in) :: config
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr) :: value
        end function
        function c_status_text(status) bind(c, name='autotune_status_text') result(text)
            import
            integer(c_int), value :: status
            type(c_ptr) :: text
        end function
        function c_verdict_text(verdict) bind(c, name='autotune_verdict_text') result(text)
            import
            integer(c_int), value :: verdict
            type(c_ptr) :: text
        end function
        function c_last_error() bind(c, name='autotune_last_error') result(text)
            import
            type(c_ptr) :: text
        end function

        ! Functions of autotune_fortran.c.
        subroutine c_explain(reason) bind(c, name='autotune_fortran_explain')
            import
            character(kind=c_char), intent(in) :: reason(*)
        end subroutine
        subroutine c_keep(first, next, kept) bind(c, name='autotune_fortran_keep')
            import
            type(c_ptr), intent(inout) :: first, next
            type(c_ptr), value :: kept
        end subroutine
        function c_has_layout(sizes, count) bind(c, name='autotune_fortran_has_layout') result(same)
            import
            integer(c_size_t), intent(in) :: sizes(*)
            integer(c_size_t), value :: count
            logical(c_bool) :: same
        end function
        ! Returns the ranks of an MPI communicator for options%ranks, like MPI_RANKS of autotune_mpi.h. communicator: an
        ! integer; with mpi_f08 pass communicator%MPI_VAL. The function exists only if autotune_fortran.c is compiled
        ! with -DAUTOTUNE_FORTRAN_MPI.
        function autotune_mpi_ranks(communicator) bind(c, name='autotune_fortran_mpi_ranks') result(ranks)
            import
            integer(c_int), value :: communicator
            type(c_ptr) :: ranks
        end function

        ! Functions of the C library.
        function c_strlen(text) bind(c, name='strlen') result(length)
            import
            type(c_ptr), value :: text
            integer(c_size_t) :: length
        end function
        function c_memset(memory, byte, bytes) bind(c, name='memset') result(same)
            import
            type(c_ptr), value :: memory
            integer(c_int), value :: byte
            integer(c_size_t), value :: bytes
            type(c_ptr) :: same
        end function
    end interface
end module autotune_c

module autotune
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: error_unit, int8, int16, int32, int64, real32, real64
    use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
    use autotune_c
    implicit none
    private

    public :: autotune_space, autotune_tuner, autotune_config, autotune_options, autotune_key, autotune_buffer
    public :: autotune_result, autotune_step
    public :: autotune_launch, autotune_where, autotune_model, autotune_priority, autotune_setup, autotune_verify
    public :: autotune_create, autotune_destroy, autotune_call, autotune_tune, autotune_add, autotune_tune_all
    public :: autotune_step_begin, autotune_step_end, autotune_lookup, autotune_save, autotune_load, autotune_clear
    public :: autotune_shutdown, autotune_open_keys, autotune_agree, autotune_mpi_ranks, autotune_anchor
    public :: autotune_status_text, autotune_verdict_text, autotune_last_error
    public :: AUTOTUNE_MAX_KEY, AUTOTUNE_MAX_AXES, AUTOTUNE_MAX_BUFFERS

    ! Statuses
    enum, bind(c)
        enumerator :: AUTOTUNE_OK, AUTOTUNE_FAILED, AUTOTUNE_REJECTED, AUTOTUNE_ERR_ARGUMENT, AUTOTUNE_ERR_SPACE, &
            AUTOTUNE_ERR_ALL_FAILED, AUTOTUNE_ERR_MISS, AUTOTUNE_ERR_AMBIGUOUS, AUTOTUNE_ERR_MEMORY, &
            AUTOTUNE_ERR_LEFT, AUTOTUNE_ERR_DEVICE, AUTOTUNE_ERR_ENVIRONMENT, AUTOTUNE_ERR_FILE
    end enum
    public :: AUTOTUNE_OK, AUTOTUNE_FAILED, AUTOTUNE_REJECTED, AUTOTUNE_ERR_ARGUMENT, AUTOTUNE_ERR_SPACE, &
        AUTOTUNE_ERR_ALL_FAILED, AUTOTUNE_ERR_MISS, AUTOTUNE_ERR_AMBIGUOUS, AUTOTUNE_ERR_MEMORY, AUTOTUNE_ERR_LEFT, &
        AUTOTUNE_ERR_DEVICE, AUTOTUNE_ERR_ENVIRONMENT, AUTOTUNE_ERR_FILE
    ! Verdicts
    enum, bind(c)
        enumerator :: AUTOTUNE_DEFAULT, AUTOTUNE_SINGLE, AUTOTUNE_SEPARATED, AUTOTUNE_TIE, AUTOTUNE_UNRESOLVED, &
            AUTOTUNE_UNRELIABLE, AUTOTUNE_ONGOING, AUTOTUNE_PINNED, AUTOTUNE_GUESSED
    end enum
    public :: AUTOTUNE_DEFAULT, AUTOTUNE_SINGLE, AUTOTUNE_SEPARATED, AUTOTUNE_TIE, AUTOTUNE_UNRESOLVED, &
        AUTOTUNE_UNRELIABLE, AUTOTUNE_ONGOING, AUTOTUNE_PINNED, AUTOTUNE_GUESSED
    ! %mode
    enum, bind(c)
        enumerator :: AUTOTUNE_ON, AUTOTUNE_CACHED, AUTOTUNE_REQUIRE, AUTOTUNE_ONLINE, AUTOTUNE_OFF, AUTOTUNE_FORCE
    end enum
    public :: AUTOTUNE_ON, AUTOTUNE_CACHED, AUTOTUNE_REQUIRE, AUTOTUNE_ONLINE, AUTOTUNE_OFF, AUTOTUNE_FORCE
    ! %preset
    enum, bind(c)
        enumerator :: AUTOTUNE_BALANCED, AUTOTUNE_FAST, AUTOTUNE_THOROUGH
    end enum
    public :: AUTOTUNE_BALANCED, AUTOTUNE_FAST, AUTOTUNE_THOROUGH
    ! %strategy
    enum, bind(c)
        enumerator :: AUTOTUNE_AUTO, AUTOTUNE_EXHAUSTIVE, AUTOTUNE_RANDOM, AUTOTUNE_SURROGATE
    end enum
    public :: AUTOTUNE_AUTO, AUTOTUNE_EXHAUSTIVE, AUTOTUNE_RANDOM, AUTOTUNE_SURROGATE
    ! %cache_state
    enum, bind(c)
        enumerator :: AUTOTUNE_CACHE_STATE_DEFAULT, AUTOTUNE_HOT, AUTOTUNE_COLD
    end enum
    public :: AUTOTUNE_CACHE_STATE_DEFAULT, AUTOTUNE_HOT, AUTOTUNE_COLD
    ! %agree
    enum, bind(c)
        enumerator :: AUTOTUNE_TOGETHER, AUTOTUNE_FIRST, AUTOTUNE_DIVIDED
    end enum
    public :: AUTOTUNE_TOGETHER, AUTOTUNE_FIRST, AUTOTUNE_DIVIDED
    ! %cache
    enum, bind(c)
        enumerator :: AUTOTUNE_CACHE_ON, AUTOTUNE_CACHE_OFF, AUTOTUNE_CACHE_READONLY
    end enum
    public :: AUTOTUNE_CACHE_ON, AUTOTUNE_CACHE_OFF, AUTOTUNE_CACHE_READONLY
    ! %unseen
    enum, bind(c)
        enumerator :: AUTOTUNE_RACE, AUTOTUNE_GUESS
    end enum
    public :: AUTOTUNE_RACE, AUTOTUNE_GUESS
    ! %isolate
    enum, bind(c)
        enumerator :: AUTOTUNE_IN_PROCESS, AUTOTUNE_CHILD
    end enum
    public :: AUTOTUNE_IN_PROCESS, AUTOTUNE_CHILD
    ! The argument `where` of autotune_clear
    enum, bind(c)
        enumerator :: AUTOTUNE_MEMORY = 1, AUTOTUNE_DISK = 2
    end enum
    public :: AUTOTUNE_MEMORY, AUTOTUNE_DISK
    ! Types of values
    enum, bind(c)
        enumerator :: AUTOTUNE_BYTES, AUTOTUNE_I8, AUTOTUNE_I16, AUTOTUNE_I32, AUTOTUNE_I64, AUTOTUNE_U8, &
            AUTOTUNE_U16, AUTOTUNE_U32, AUTOTUNE_U64, AUTOTUNE_F16, AUTOTUNE_BF16, AUTOTUNE_F32, AUTOTUNE_F64, &
            AUTOTUNE_STRING, AUTOTUNE_POINTER, AUTOTUNE_BOOL
    end enum

    ! A configuration. Kernels and filters get it, and results have it. The functions return the value of the axis with
    ! this name. If there is no such axis, or its values have another type, they return 0, NaN or '', and
    ! autotune_last_error() says why.
    type :: autotune_config
        type(c_config), private :: c = NO_CONFIG
        integer, private :: status = AUTOTUNE_OK
        class(*), pointer :: user => null()     ! options%user
    contains
        procedure :: get_int                    ! the value as a default integer
        procedure :: get_int64
        procedure :: get_double                 ! the value as a real(real64); integers are converted
        procedure :: get_logical
        procedure :: get_string
        procedure :: get_label                  ! the value of any type, as logs show it
        procedure :: get_index                  ! the configuration's number in the product, from 0; last axis fastest
        procedure :: text => config_text        ! all axes with their values: 'tile 32, threads 4'
        ! For kernels: report that this configuration does not work here, and why. The configuration leaves the race. If
        ! it was the winner, the call returns AUTOTUNE_REJECTED or AUTOTUNE_FAILED, and the next call tunes again.
        procedure :: reject => reject_config
        procedure :: fail => fail_config
    end type

    abstract interface
        ! A kernel: makes one launch with this configuration.
        subroutine autotune_launch(config)
            import autotune_config
            type(autotune_config), intent(inout) :: config
        end subroutine
        ! A filter: returns true if the configuration is admitted. Filter, model and priority may be called any number
        ! of times. Their results must depend only on the configuration, the key and the version.
        function autotune_where(config) result(admitted)
            import autotune_config
            type(autotune_config), intent(in) :: config
            logical :: admitted
        end function
        ! Returns the predicted cost of a configuration. Cheap configurations are tried first.
        function autotune_model(config) result(cost)
            import autotune_config, real64
            type(autotune_config), intent(in) :: config
            real(real64) :: cost
        end function
        ! Returns the group of a configuration. The highest group is raced first. A lower group is raced only if no
        ! configuration of a higher group worked. Groups below 0 are never raced.
        function autotune_priority(config) result(group)
            import autotune_config
            type(autotune_config), intent(in) :: config
            integer :: group
        end function
        ! The procedures options%setup and options%verify get options%user and the configuration of the launch.
        subroutine autotune_setup(user, config)
            import autotune_config
            class(*), pointer, intent(in) :: user
            type(autotune_config), intent(in) :: config
        end subroutine
        function autotune_verify(user, config) result(right)
            import autotune_config
            class(*), pointer, intent(in) :: user
            type(autotune_config), intent(in) :: config
            logical :: right
        end function
    end interface

    ! A key: up to 8 integers, reals, logicals and strings, on which the best configuration depends. Blanks at the end
    ! of a string do not count.
    type :: autotune_key
        private
        ! If the part is a string: its place in text.
        type(c_key) :: c = c_key(0, 0, 0, c_null_ptr)
        character(kind=c_char), allocatable :: text(:)
    end type
    interface autotune_key
        procedure make_key
    end interface

    ! Memory for an option: autotune_buffer(array, tolerance). array: an array of any rank, or a scalar, of integers,
    ! reals, complex numbers or logicals, with the attribute TARGET or POINTER. tolerance: for options%outputs. A
    ! section with gaps is refused when the options are used. An array without elements is left out.
    type :: autotune_buffer
        private
        type(c_ptr) :: memory = c_null_ptr
        integer(c_size_t) :: bytes = 0
        integer(c_int) :: type = AUTOTUNE_BYTES
        real(real64) :: tolerance = 0
    end type
    interface autotune_buffer
        procedure buffer_int8, buffer_int16, buffer_int32, buffer_int64, buffer_real32, buffer_real64, &
            buffer_complex32, buffer_complex64, buffer_logical, buffer_bool
    end interface

    ! Returns the least power of base that is not less than x. As a part of a key, it lets nearby sizes share a winner.
    ! x: an integer of any kind that a key may have. base: a default integer; without it 2.
    interface autotune_anchor
        procedure anchor_int8, anchor_int16, anchor_int32, anchor_int64
    end interface

    ! Options of a call. autotune.h describes each option under its name, in struct autotune_options.
    type :: autotune_options
        type(autotune_key) :: key
        character(:), allocatable :: name, version
        integer :: mode = AUTOTUNE_ON
        integer :: preset = AUTOTUNE_BALANCED
        integer :: strategy = AUTOTUNE_AUTO
        integer :: cache_state = AUTOTUNE_CACHE_STATE_DEFAULT
        real(real64) :: launch_timeout = 0
        integer :: compile_threads = 0
        real(real64) :: compile_timeout = 0
        real(real64) :: max_seconds = 0
        real(real64) :: max_loss = 0
        real(real64) :: work = 0
        integer :: watch = 0
        real(real64) :: margin = 0
        integer(int64) :: max_trials = 0, top_k = 0, seed = 0
        real(real64) :: stop_at_ns = 0
        type(autotune_buffer), allocatable :: restore(:), zero(:), outputs(:)
        procedure(autotune_setup), pointer, nopass :: setup => null()
        procedure(autotune_verify), pointer, nopass :: verify => null()
        class(*), pointer :: user => null()     ! config%user of kernels and filters
        type(c_ptr) :: backend = c_null_ptr     ! an autotune_backend * of C
        type(c_ptr) :: ranks = c_null_ptr       ! autotune_mpi_ranks(communicator), or an autotune_ranks * of C
        integer :: agree = AUTOTUNE_TOGETHER
        integer :: first_rank = 0                ! the rank for AUTOTUNE_FIRST, from 0 on
        integer :: cache = AUTOTUNE_CACHE_ON
        integer :: unseen = AUTOTUNE_RACE
        integer :: isolate = AUTOTUNE_IN_PROCESS
    end type

    ! The result of a call. autotune.h describes each member in struct autotune_result.
    type :: autotune_result
        integer :: status = AUTOTUNE_OK
        integer :: verdict = AUTOTUNE_DEFAULT
        logical :: cache_hit = .false.
        integer(int64) :: index = 0
        real(real64) :: median_ns = 0, min_ns = 0, runner_up_ns = 0, default_ns = 0, slowest_ns = 0
        real(real64) :: lead = 0, lead_low = 0, lead_high = 0
        integer(int64) :: space_size = 0, refused = 0, tried = 0, failed = 0, launches = 0
        real(real64) :: seconds = 0, loss_seconds = 0, in_use_ns = 0
        type(autotune_config) :: config
        type(c_ptr), private :: c_doubt = c_null_ptr, c_note = c_null_ptr, c_guessed_from = c_null_ptr
    contains
        procedure :: doubt => doubt_of          ! why the verdict is AUTOTUNE_UNRELIABLE, else ''
        procedure :: note => note_of            ! a remark about the times, else ''
        procedure :: guessed_from => origin_of  ! AUTOTUNE_GUESSED: how many keys it is from, and the nearest; else ''
    end type

    type :: axis_data
        character(:), allocatable :: name
        integer(c_int) :: type = AUTOTUNE_I64
        integer(int64), allocatable :: values(:)
        character(:), allocatable :: strings(:), labels(:)
        procedure(autotune_where), pointer, nopass :: where => null()
    end type
    ! A space: the product of its axes, filtered.
    type :: autotune_space
        private
        integer :: count = 0
        type(axis_data) :: axes(AUTOTUNE_MAX_AXES)
        integer(int64), allocatable :: table(:, :)
        procedure(autotune_where), pointer, nopass :: filter => null()
        procedure(autotune_model), pointer, nopass :: cost => null()
        procedure(autotune_priority), pointer, nopass :: group => null()
    contains
        ! call space%axis(name, values, labels, where): adds an axis of integers, reals, logicals or strings. labels:
        ! the names of the values in logs. where: a filter that gets the axes up to this axis, without the later axes.
        procedure, private :: axis_int32, axis_int64, axis_real32, axis_real64, axis_logical, axis_string
        generic :: axis => axis_int32, axis_int64, axis_real32, axis_real64, axis_logical, axis_string
        ! call space%configs(names, table): a list of configurations instead of axes. table(:, i): the values of
        ! configuration i.
        procedure, private :: configs_int32, configs_int64
        generic :: configs => configs_int32, configs_int64
        procedure :: where => set_where
        procedure :: model => set_model
        procedure :: priority => set_priority
    end type

    ! The data for the callbacks of one call. The library passes it to them as the user pointer of the call.
    type :: context                             ! every call sets all members, so they need no initial values
        type(tuner_data), pointer :: tuner
        procedure(autotune_launch), pointer, nopass :: launch
        procedure(autotune_setup), pointer, nopass :: setup
        procedure(autotune_verify), pointer, nopass :: verify
        class(*), pointer :: user
        type(c_ptr) :: next                     ! the next in the list of contexts of queued cases
    end type
    type :: filter_of_axis
        procedure(autotune_where), pointer, nopass :: where => null()
    end type
    type :: tuner_data
        type(context) :: context                ! the context of calls without options
        type(filter_of_axis) :: filters(AUTOTUNE_MAX_AXES)
        procedure(autotune_where), pointer, nopass :: where => null()
        procedure(autotune_model), pointer, nopass :: model => null()
        procedure(autotune_priority), pointer, nopass :: priority => null()
        type(c_ptr) :: queued = c_null_ptr
    end type
    ! A tuner. Copies stand for the same tuner: destroy only one of them.
    type :: autotune_tuner
        private
        type(c_ptr) :: c = c_null_ptr
        type(tuner_data), pointer :: data => null()
    end type

    ! A step of tuning in production. %config: the configuration that the program has to run. Do not copy an open step.
    type :: autotune_step
        type(autotune_config) :: config
        type(c_step), private :: c = c_step(NO_CONFIG, 0, c_null_ptr)
        type(context), pointer, private :: context => null()
    end type

    ! One call: the options as C has them, and the memory to which they point.
    type :: call_frame
        type(c_options) :: options
        type(c_result) :: result
        type(context) :: context
        character(kind=c_char), allocatable :: name(:), version(:)
    end type
    ! Memory for strings of C, which stand one behind the other.
    type :: string_pool
        character(kind=c_char), allocatable :: text(:)
        integer :: used = 0
    end type

contains

    ! ---- Strings -----------------------------------------------------------------------------------------------------

    ! Returns a string for C: without blanks at its end, and with a zero behind it.
    pure function to_c(string) result(text)
        character(*), intent(in) :: string
        character(kind=c_char) :: text(len_trim(string) + 1)
        integer :: i
        do i = 1, size(text) - 1
            text(i) = string(i:i)
        end do
        text(size(text)) = c_null_char
    end function

    ! The same for the name of an axis, without memory from the heap. Only the first 255 characters of a name count.
    pure subroutine name_to_c(name, text)
        character(*), intent(in) :: name
        character(kind=c_char), intent(out) :: text(256)
        integer :: i, length
        length = min(len_trim(name), 255)
        do i = 1, length
            text(i) = name(i:i)
        end do
        text(length + 1) = c_null_char
    end subroutine

    function from_c(text) result(string)
        type(c_ptr), intent(in) :: text
        character(:), allocatable :: string
        character(kind=c_char), pointer :: characters(:)
        integer :: i, length
        length = 0
        if (c_associated(text)) length = int(c_strlen(text))
        allocate (character(length) :: string)
        if (length == 0) return
        call c_f_pointer(text, characters, [length])
        do i = 1, length
            string(i:i) = characters(i)
        end do
    end function

    function kept(pool, string) result(address)
        type(string_pool), intent(inout), target :: pool
        character(*), intent(in) :: string
        type(c_ptr) :: address
        integer :: length
        length = len_trim(string) + 1
        pool%text(pool%used + 1:pool%used + length) = to_c(string)
        address = c_loc(pool%text(pool%used + 1))
        pool%used = pool%used + length
    end function

    ! ---- Configurations ----------------------------------------------------------------------------------------------

    pure function get_int(self, name) result(value)
        class(autotune_config), intent(in) :: self
        character(*), intent(in) :: name
        integer :: value
        character(kind=c_char) :: c_name(256)
        call name_to_c(name, c_name)
        value = int(c_get_int(self%c, c_name))
    end function

    pure function get_int64(self, name) result(value)
        class(autotune_config), intent(in) :: self
        character(*), intent(in) :: name
        integer(int64) :: value
        character(kind=c_char) :: c_name(256)
        call name_to_c(name, c_name)
        value = c_get_int(self%c, c_name)
    end function

    pure function get_double(self, name) result(value)
        class(autotune_config), intent(in) :: self
        character(*), intent(in) :: name
        real(real64) :: value
        character(kind=c_char) :: c_name(256)
        call name_to_c(name, c_name)
        value = c_get_double(self%c, c_name)
    end function

    pure function get_logical(self, name) result(value)
        class(autotune_config), intent(in) :: self
        character(*), intent(in) :: name
        logical :: value
        character(kind=c_char) :: c_name(256)
        call name_to_c(name, c_name)
        value = c_get_int(self%c, c_name) /= 0
    end function

    function get_string(self, name) result(value)
        class(autotune_config), intent(in) :: self
        character(*), intent(in) :: name
        character(:), allocatable :: value
        value = from_c(c_get_string(self%c, to_c(name)))
    end function

    function get_label(self, name) result(value)
        class(autotune_config), intent(in) :: self
        character(*), intent(in) :: name
        character(:), allocatable :: value
        value = from_c(c_get_label(self%c, to_c(name)))
    end function

    pure function get_index(self) result(index)
        class(autotune_config), intent(in) :: self
        integer(int64) :: index
        index = int(self%c%index, int64)
    end function

    function config_text(self) result(text)
        class(autotune_config), intent(in) :: self
        character(:), allocatable :: text
        type(c_ptr), pointer :: names(:), labels(:)
        integer :: i
        text = ''
        if (self%c%count == 0) return
        call c_f_pointer(self%c%names, names, [self%c%count])
        call c_f_pointer(self%c%labels, labels, [self%c%count])
        do i = 1, size(names)
            if (i > 1) text = text // ', '
            text = text // from_c(names(i)) // ' ' // from_c(labels(i))
        end do
    end function

    subroutine reject_config(self, reason)
        class(autotune_config), intent(inout) :: self
        character(*), intent(in) :: reason
        call c_explain(to_c(reason))
        self%status = AUTOTUNE_REJECTED
    end subroutine

    subroutine fail_config(self, reason)
        class(autotune_config), intent(inout) :: self
        character(*), intent(in) :: reason
        call c_explain(to_c(reason))
        self%status = AUTOTUNE_FAILED
    end subroutine

    function doubt_of(self) result(doubt)
        class(autotune_result), intent(in) :: self
        character(:), allocatable :: doubt
        doubt = from_c(self%c_doubt)
    end function

    function note_of(self) result(note)
        class(autotune_result), intent(in) :: self
        character(:), allocatable :: note
        note = from_c(self%c_note)
    end function

    function origin_of(self) result(origin)
        class(autotune_result), intent(in) :: self
        character(:), allocatable :: origin
        origin = from_c(self%c_guessed_from)
    end function

    ! ---- Keys --------------------------------------------------------------------------------------------------------

    function make_key(part_1, part_2, part_3, part_4, part_5, part_6, part_7, part_8) result(key)
        class(*), intent(in) :: part_1
        class(*), intent(in), optional :: part_2, part_3, part_4, part_5, part_6, part_7, part_8
        type(autotune_key) :: key
        call add_part(key, part_1)
        if (present(part_2)) call add_part(key, part_2)
        if (present(part_3)) call add_part(key, part_3)
        if (present(part_4)) call add_part(key, part_4)
        if (present(part_5)) call add_part(key, part_5)
        if (present(part_6)) call add_part(key, part_6)
        if (present(part_7)) call add_part(key, part_7)
        if (present(part_8)) call add_part(key, part_8)
    end function

    ! A part of another type becomes a NaN, so that every call refuses the key, and says why.
    subroutine add_part(key, part)
        type(autotune_key), intent(inout) :: key
        class(*), intent(in) :: part
        select type (part)
        type is (integer(int8))
            call add_word(key, AUTOTUNE_I8, int(part, int64))
        type is (integer(int16))
            call add_word(key, AUTOTUNE_I16, int(part, int64))
        type is (integer(int32))
            call add_word(key, AUTOTUNE_I32, int(part, int64))
        type is (integer(int64))
            call add_word(key, AUTOTUNE_I64, part)
        type is (real(real32))
            call add_word(key, AUTOTUNE_F32, transfer(real(part, real64), 1_int64))
        type is (real(real64))
            call add_word(key, AUTOTUNE_F64, transfer(part, 1_int64))
        type is (logical)
            call add_word(key, AUTOTUNE_BOOL, merge(1_int64, 0_int64, part))
        type is (logical(c_bool))
            call add_word(key, AUTOTUNE_BOOL, merge(1_int64, 0_int64, logical(part)))
        type is (character(*))
            call add_string(key, part)
        class default
            call add_word(key, AUTOTUNE_F64, transfer(ieee_value(1._real64, ieee_quiet_nan), 1_int64))
        end select
    end subroutine

    subroutine add_word(key, type, word)
        type(autotune_key), intent(inout) :: key
        integer(c_int), intent(in) :: type
        integer(int64), intent(in) :: word
        key%c%types = ior(key%c%types, shiftl(int(type, c_int32_t), 4 * key%c%count))
        key%c%count = key%c%count + 1
        key%c%word(key%c%count) = word
    end subroutine

    subroutine add_string(key, string)
        type(autotune_key), intent(inout) :: key
        character(*), intent(in) :: string
        character(kind=c_char), allocatable :: longer(:)
        integer :: before
        before = 0
        if (allocated(key%text)) before = size(key%text)
        allocate (longer(before + len_trim(string) + 1))
        if (before > 0) longer(:before) = key%text
        longer(before + 1:) = to_c(string)
        call move_alloc(longer, key%text)
        call add_word(key, AUTOTUNE_STRING, int(before + 1, int64))
    end subroutine

    function key_to_c(key) result(c)
        type(autotune_key), intent(in), target :: key
        type(c_key) :: c
        integer :: i
        c = key%c
        if (.not. allocated(key%text)) return
        do i = 1, c%count
            if (ibits(c%types, 4 * (i - 1), 4) /= AUTOTUNE_STRING) cycle
            c%word(i) = transfer(c_loc(key%text(key%c%word(i))), 1_int64)
        end do
    end function

    ! ---- Buffers -----------------------------------------------------------------------------------------------------

    ! A section with gaps becomes a buffer with an address and 0 bytes, which calls refuse.
    function make_buffer(memory, elements, element_bytes, type, is_contiguous, tolerance) result(buffer)
        type(c_ptr), intent(in) :: memory
        integer(c_size_t), intent(in) :: elements
        integer, intent(in) :: element_bytes
        integer(c_int), intent(in) :: type
        logical, intent(in) :: is_contiguous
        real(real64), intent(in), optional :: tolerance
        type(autotune_buffer) :: buffer
        buffer%type = type
        if (elements > 0) buffer%memory = memory
        if (is_contiguous) buffer%bytes = elements * int(element_bytes, c_size_t)
        if (present(tolerance)) buffer%tolerance = tolerance
    end function

    function buffer_int8(array, tolerance) result(buffer)
        integer(int8), intent(in), target :: array(..)
        real(real64), intent(in), optional :: tolerance
        type(autotune_buffer) :: buffer
        buffer = make_buffer(c_loc(array), size(array, kind=c_size_t), 1, AUTOTUNE_I8, is_contiguous(array), tolerance)
    end function

    function buffer_int16(array, tolerance) result(buffer)
        integer(int16), intent(in), target :: array(..)
        real(real64), intent(in), optional :: tolerance
        type(autotune_buffer) :: buffer
        buffer = make_buffer(c_loc(array), size(array, kind=c_size_t), 2, AUTOTUNE_I16, is_contiguous(array), tolerance)
    end function

    function buffer_int32(array, tolerance) result(buffer)
        integer(int32), intent(in), target :: array(..)
        real(real64), intent(in), optional :: tolerance
        type(autotune_buffer) :: buffer
        buffer = make_buffer(c_loc(array), size(array, kind=c_size_t), 4, AUTOTUNE_I32, is_contiguous(array), tolerance)
    end function

    function buffer_int64(array, tolerance) result(buffer)
        integer(int64), intent(in), target :: array(..)
        real(real64), intent(in), optional :: tolerance
        type(autotune_buffer) :: buffer
        buffer = make_buffer(c_loc(array), size(array, kind=c_size_t), 8, AUTOTUNE_I64, is_contiguous(array), tolerance)
    end function

    function buffer_real32(array, tolerance) result(buffer)
        real(real32), intent(in), target :: array(..)
        real(real64), intent(in), optional :: tolerance
        type(autotune_buffer) :: buffer
        buffer = make_buffer(c_loc(array), size(array, kind=c_size_t), 4, AUTOTUNE_F32, is_contiguous(array), tolerance)
    end function

    function buffer_real64(array, tolerance) result(buffer)
        real(real64), intent(in), target :: array(..)
        real(real64), intent(in), optional :: tolerance
        type(autotune_buffer) :: buffer
        buffer = make_buffer(c_loc(array), size(array, kind=c_size_t), 8, AUTOTUNE_F64, is_contiguous(array), tolerance)
    end function

    function buffer_complex32(array, tolerance) result(buffer)
        complex(real32), intent(in), target :: array(..)
        real(real64), intent(in), optional :: tolerance
        type(autotune_buffer) :: buffer
        buffer = make_buffer(c_loc(array), size(array, kind=c_size_t), 8, AUTOTUNE_F32, is_contiguous(array), tolerance)
    end function

    function buffer_complex64(array, tolerance) result(buffer)
        complex(real64), intent(in), target :: array(..)
        real(real64), intent(in), optional :: tolerance
        type(autotune_buffer) :: buffer
        buffer = make_buffer(c_loc(array), size(array, kind=c_size_t), 16, AUTOTUNE_F64, is_contiguous(array), &
            tolerance)
    end function

    function buffer_logical(array, tolerance) result(buffer)
        logical, intent(in), target :: array(..)
        real(real64), intent(in), optional :: tolerance
        type(autotune_buffer) :: buffer
        buffer = make_buffer(c_loc(array), size(array, kind=c_size_t), storage_size(.true.) / 8, AUTOTUNE_BYTES, &
            is_contiguous(array), tolerance)
    end function

    function buffer_bool(array, tolerance) result(buffer)
        logical(c_bool), intent(in), target :: array(..)
        real(real64), intent(in), optional :: tolerance
        type(autotune_buffer) :: buffer
        buffer = make_buffer(c_loc(array), size(array, kind=c_size_t), 1, AUTOTUNE_BYTES, is_contiguous(array), &
            tolerance)
    end function

    ! Counts more than 8 buffers, too, so that the library refuses them.
    subroutine buffers_to_c(c, buffers)
        type(c_buffers), intent(inout) :: c
        type(autotune_buffer), intent(in), allocatable :: buffers(:)
        integer :: i
        if (.not. allocated(buffers)) return
        do i = 1, size(buffers)
            if (.not. c_associated(buffers(i)%memory)) cycle
            c%count = c%count + 1
            if (c%count > AUTOTUNE_MAX_BUFFERS) cycle
            c%at(c%count) = c_buffer(buffers(i)%memory, buffers(i)%bytes, buffers(i)%type, buffers(i)%tolerance)
        end do
    end subroutine

    ! ---- Spaces ------------------------------------------------------------------------------------------------------

    ! Counts more than 16 axes, too, so that the library refuses them.
    subroutine add_axis(space, name, type, values, strings, labels, where)
        class(autotune_space), intent(inout) :: space
        character(*), intent(in) :: name
        integer(c_int), intent(in) :: type
        integer(int64), intent(in), optional :: values(:)
        character(*), intent(in), optional :: strings(:), labels(:)
        procedure(autotune_where), optional :: where
        space%count = space%count + 1
        if (space%count > AUTOTUNE_MAX_AXES) return
        associate (axis => space%axes(space%count))
            axis%name = name
            axis%type = type
            if (present(values)) allocate (axis%values, source=values)
            if (present(strings)) allocate (axis%strings, source=strings)
            if (present(labels)) allocate (axis%labels, source=labels)
        end associate
        if (present(where)) space%axes(space%count)%where => where
    end subroutine

    subroutine axis_int32(self, name, values, labels, where)
        class(autotune_space), intent(inout) :: self
        character(*), intent(in) :: name
        integer(int32), intent(in) :: values(:)
        character(*), intent(in), optional :: labels(:)
        procedure(autotune_where), optional :: where
        call add_axis(self, name, AUTOTUNE_I64, int(values, int64), labels=labels, where=where)
    end subroutine

    subroutine axis_int64(self, name, values, labels, where)
        class(autotune_space), intent(inout) :: self
        character(*), intent(in) :: name
        integer(int64), intent(in) :: values(:)
        character(*), intent(in), optional :: labels(:)
        procedure(autotune_where), optional :: where
        call add_axis(self, name, AUTOTUNE_I64, values, labels=labels, where=where)
    end subroutine

    subroutine axis_real32(self, name, values, labels, where)
        class(autotune_space), intent(inout) :: self
        character(*), intent(in) :: name
        real(real32), intent(in) :: values(:)
        character(*), intent(in), optional :: labels(:)
        procedure(autotune_where), optional :: where
        call self%axis_real64(name, real(values, real64), labels, where)
    end subroutine

    subroutine axis_real64(self, name, values, labels, where)
        class(autotune_space), intent(inout) :: self
        character(*), intent(in) :: name
        real(real64), intent(in) :: values(:)
        character(*), intent(in), optional :: labels(:)
        procedure(autotune_where), optional :: where
        call add_axis(self, name, AUTOTUNE_F64, transfer(values, [1_int64], size(values)), labels=labels, where=where)
    end subroutine

    subroutine axis_logical(self, name, values, labels, where)
        class(autotune_space), intent(inout) :: self
        character(*), intent(in) :: name
        logical, intent(in) :: values(:)
        character(*), intent(in), optional :: labels(:)
        procedure(autotune_where), optional :: where
        if (present(labels)) then
            call add_axis(self, name, AUTOTUNE_I64, merge(1_int64, 0_int64, values), labels=labels, where=where)
        else
            call add_axis(self, name, AUTOTUNE_I64, merge(1_int64, 0_int64, values), &
                labels=merge('true ', 'false', values), where=where)
        end if
    end subroutine

    subroutine axis_string(self, name, values, labels, where)
        class(autotune_space), intent(inout) :: self
        character(*), intent(in) :: name, values(:)
        character(*), intent(in), optional :: labels(:)
        procedure(autotune_where), optional :: where
        call add_axis(self, name, AUTOTUNE_STRING, strings=values, labels=labels, where=where)
    end subroutine

    subroutine configs_int32(self, names, table)
        class(autotune_space), intent(inout) :: self
        character(*), intent(in) :: names(:)
        integer(int32), intent(in) :: table(:, :)
        call self%configs_int64(names, int(table, int64))
    end subroutine

    subroutine configs_int64(self, names, table)
        class(autotune_space), intent(inout) :: self
        character(*), intent(in) :: names(:)
        integer(int64), intent(in) :: table(:, :)
        integer :: i
        do i = 1, size(names)
            call add_axis(self, names(i), AUTOTUNE_I64)
        end do
        if (allocated(self%table)) deallocate (self%table)
        if (size(table, 1) == size(names)) then
            allocate (self%table, source=table)
        else
            allocate (self%table(size(names), 0))
        end if
    end subroutine

    subroutine set_where(self, where)
        class(autotune_space), intent(inout) :: self
        procedure(autotune_where) :: where
        self%filter => where
    end subroutine

    subroutine set_model(self, model)
        class(autotune_space), intent(inout) :: self
        procedure(autotune_model) :: model
        self%cost => model
    end subroutine

    subroutine set_priority(self, priority)
        class(autotune_space), intent(inout) :: self
        procedure(autotune_priority) :: priority
        self%group => priority
    end subroutine

    ! ---- Functions that the library calls ----------------------------------------------------------------------------

    recursive subroutine show_config(user, config, here, seen)
        type(c_ptr), intent(in) :: user, config
        type(context), pointer, intent(out) :: here
        type(autotune_config), intent(inout) :: seen
        type(c_config), pointer :: c
        call c_f_pointer(user, here)
        call c_f_pointer(config, c)
        seen%c = c
        seen%user => here%user
    end subroutine

    recursive function call_launch(user, config) bind(c) result(status)
        type(c_ptr), value :: user, config
        integer(c_int) :: status
        type(context), pointer :: here
        type(autotune_config) :: seen
        call show_config(user, config, here, seen)
        if (associated(here%launch)) then
            call here%launch(seen)
        else
            call seen%fail('there is no kernel: give one to autotune_create or to the call')
        end if
        status = int(seen%status, c_int)
    end function

    recursive function call_where(user, config) bind(c) result(admitted)
        type(c_ptr), value :: user, config
        logical(c_bool) :: admitted
        type(context), pointer :: here
        type(autotune_config) :: seen
        call show_config(user, config, here, seen)
        admitted = here%tuner%where(seen)
    end function

    ! Calls the filter of the last axis that has a value.
    recursive function call_axis_where(user, config) bind(c) result(admitted)
        type(c_ptr), value :: user, config
        logical(c_bool) :: admitted
        type(context), pointer :: here
        type(autotune_config) :: seen
        call show_config(user, config, here, seen)
        admitted = here%tuner%filters(seen%c%count)%where(seen)
    end function

    recursive function call_model(user, config) bind(c) result(cost)
        type(c_ptr), value :: user, config
        real(c_double) :: cost
        type(context), pointer :: here
        type(autotune_config) :: seen
        call show_config(user, config, here, seen)
        cost = here%tuner%model(seen)
    end function

    recursive function call_priority(user, config) bind(c) result(group)
        type(c_ptr), value :: user, config
        integer(c_int) :: group
        type(context), pointer :: here
        type(autotune_config) :: seen
        call show_config(user, config, here, seen)
        group = int(here%tuner%priority(seen), c_int)
    end function

    recursive subroutine call_setup(user, config) bind(c)
        type(c_ptr), value :: user, config
        type(context), pointer :: here
        type(autotune_config) :: seen
        call show_config(user, config, here, seen)
        if (associated(here%setup)) call here%setup(here%user, seen)
    end subroutine

    recursive function call_verify(user, config) bind(c) result(right)
        type(c_ptr), value :: user, config
        logical(c_bool) :: right
        type(context), pointer :: here
        type(autotune_config) :: seen
        call show_config(user, config, here, seen)
        right = .true.
        if (associated(here%verify)) right = here%verify(here%user, seen)
    end function

    ! ---- Tuners ------------------------------------------------------------------------------------------------------

    ! Returns true if this file belongs to the autotune.h with which autotune_fortran.c was compiled.
    function has_layout() result(same)
        logical :: same
        type(c_options) :: options
        type(c_result) :: result
        type(c_axis) :: axis
        type(c_desc) :: desc
        type(c_step) :: step
        integer(c_size_t) :: sizes(5)
        sizes = [c_sizeof(options), c_sizeof(result), c_sizeof(axis), c_sizeof(desc), c_sizeof(step)]
        same = c_has_layout(sizes, size(sizes, kind=c_size_t))
        if (same) return
        write (error_unit, '(a)') 'autotune: autotune.f90 and autotune.h are of different versions: take both from one'
        flush (error_unit)
    end function

    function values_of(axis) result(count)
        type(axis_data), intent(in) :: axis
        integer :: count
        count = 0
        if (allocated(axis%values)) count = size(axis%values)
        if (allocated(axis%strings)) count = size(axis%strings)
    end function

    function characters_of(space) result(count)
        type(autotune_space), intent(in) :: space
        integer :: count, i
        count = 0
        do i = 1, min(space%count, AUTOTUNE_MAX_AXES)
            count = count + len(space%axes(i)%name) + 1
            if (allocated(space%axes(i)%strings)) &
                count = count + (len(space%axes(i)%strings) + 1) * size(space%axes(i)%strings)
            if (allocated(space%axes(i)%labels)) &
                count = count + (len(space%axes(i)%labels) + 1) * size(space%axes(i)%labels)
        end do
    end function

    ! Makes a tuner. Destroy it with autotune_destroy. launch: the kernel of calls without the argument launch. The
    ! space and its strings are copied. Procedures given here must exist as long as the tuner: use procedures of
    ! modules.
    subroutine autotune_create(tuner, name, space, launch, status)
        type(autotune_tuner), intent(out) :: tuner
        character(*), intent(in) :: name
        type(autotune_space), intent(in), target :: space
        procedure(autotune_launch), optional :: launch
        integer, intent(out), optional :: status
        integer :: error
        if (present(status)) status = AUTOTUNE_ERR_ARGUMENT
        if (.not. has_layout()) return
        allocate (tuner%data, stat=error)
        if (error /= 0) then
            if (present(status)) status = AUTOTUNE_ERR_MEMORY
            return
        end if
        call clear_context(tuner%data%context)
        tuner%data%context%tuner => tuner%data
        if (present(launch)) tuner%data%context%launch => launch
        tuner%data%where => space%filter
        tuner%data%model => space%cost
        tuner%data%priority => space%group
        call describe(tuner, name, space)
        if (c_associated(tuner%c)) then
            if (present(status)) status = AUTOTUNE_OK
        else
            deallocate (tuner%data)
        end if
    end subroutine

    subroutine describe(tuner, name, space)
        type(autotune_tuner), intent(inout) :: tuner
        character(*), intent(in) :: name
        type(autotune_space), intent(in), target :: space
        type(c_desc) :: desc
        type(c_axis), target :: axes(AUTOTUNE_MAX_AXES)
        type(string_pool), target :: pool
        type(c_ptr), allocatable, target :: labels(:)
        integer(int64), allocatable, target :: strings(:)
        integer :: a, i, label, string, most
        most = 0
        do a = 1, min(space%count, AUTOTUNE_MAX_AXES)
            if (allocated(space%axes(a)%strings)) most = most + size(space%axes(a)%strings)
            if (allocated(space%axes(a)%labels)) most = most + max(size(space%axes(a)%labels), values_of(space%axes(a)))
        end do
        allocate (pool%text(characters_of(space) + len(name) + 1), labels(most), strings(most))
        labels = c_null_ptr                     ! the library says which label is missing
        label = 0
        string = 0
        do a = 1, min(space%count, AUTOTUNE_MAX_AXES)
            associate (axis => space%axes(a))
                axes(a) = c_axis(kept(pool, axis%name), c_null_ptr, values_of(axis), axis%type, c_null_ptr, &
                    c_null_funptr)
                if (allocated(axis%values)) then
                    if (size(axis%values) > 0) axes(a)%values = c_loc(axis%values)
                else if (allocated(axis%strings)) then
                    if (size(axis%strings) > 0) axes(a)%values = c_loc(strings(string + 1))
                    do i = 1, size(axis%strings)
                        strings(string + i) = transfer(kept(pool, axis%strings(i)), 1_int64)
                    end do
                    string = string + size(axis%strings)
                end if
                if (allocated(axis%labels)) then
                    do i = 1, size(axis%labels)
                        labels(label + i) = kept(pool, axis%labels(i))
                    end do
                    if (axes(a)%count > 0) axes(a)%labels = c_loc(labels(label + 1))
                    label = label + max(size(axis%labels), values_of(axis))
                end if
            end associate
            tuner%data%filters(a)%where => space%axes(a)%where
            if (associated(space%axes(a)%where)) axes(a)%where = c_funloc(call_axis_where)
        end do
        desc = c_desc(kept(pool, name), c_loc(axes), space%count, c_null_ptr, 0, c_null_funptr, c_null_funptr, &
            c_null_funptr, c_funloc(call_launch), c_loc(tuner%data%context))
        if (allocated(space%table)) then
            desc%configs = c_loc(space%table)
            desc%config_count = size(space%table, 2, c_size_t)
        end if
        if (associated(space%filter)) desc%where = c_funloc(call_where)
        if (associated(space%cost)) desc%model = c_funloc(call_model)
        if (associated(space%group)) desc%priority = c_funloc(call_priority)
        tuner%c = c_create(desc)
    end subroutine

    ! Frees the tuner and its queued cases. Its results stay known. No call of the tuner may run or begin meanwhile.
    subroutine autotune_destroy(tuner)
        type(autotune_tuner), intent(inout) :: tuner
        type(context), pointer :: queued
        type(c_ptr) :: next
        call c_destroy(tuner%c)
        tuner%c = c_null_ptr
        if (.not. associated(tuner%data)) return
        next = tuner%data%queued
        do while (c_associated(next))
            call c_f_pointer(next, queued)
            next = queued%next
            deallocate (queued)
        end do
        deallocate (tuner%data)
    end subroutine

    ! ---- Calls -------------------------------------------------------------------------------------------------------

    recursive subroutine clear_context(here)
        type(context), intent(inout) :: here
        nullify (here%tuner, here%launch, here%setup, here%verify, here%user)
        here%next = c_null_ptr
    end subroutine

    recursive subroutine fill_context(here, tuner, options, launch)
        type(context), intent(inout) :: here
        type(autotune_tuner), intent(in) :: tuner
        type(autotune_options), intent(in), optional :: options
        procedure(autotune_launch), optional :: launch
        if (associated(tuner%data)) then
            here = tuner%data%context
        else
            call clear_context(here)
        end if
        if (present(launch)) here%launch => launch
        if (.not. present(options)) return
        here%setup => options%setup
        here%verify => options%verify
        here%user => options%user
    end subroutine

    ! Sets the members that this file knows. All other members are zero, which is their default.
    recursive subroutine fill_options(frame, options)
        type(call_frame), intent(inout), target :: frame
        type(autotune_options), intent(in), target, optional :: options
        type(c_ptr) :: same
        same = c_memset(c_loc(frame%options), 0, c_sizeof(frame%options))
        frame%options%user = c_loc(frame%context)
        if (.not. present(options)) return
        frame%options%key = key_to_c(options%key)
        if (allocated(options%name)) then
            frame%name = to_c(options%name)
            frame%options%name = c_loc(frame%name)
        end if
        if (allocated(options%version)) then
            frame%version = to_c(options%version)
            frame%options%version = c_loc(frame%version)
        end if
        frame%options%mode = options%mode
        frame%options%preset = options%preset
        frame%options%strategy = options%strategy
        frame%options%cache_state = options%cache_state
        frame%options%launch_timeout = options%launch_timeout
        frame%options%compile_threads = options%compile_threads
        frame%options%compile_timeout = options%compile_timeout
        frame%options%max_seconds = options%max_seconds
        frame%options%max_loss = options%max_loss
        frame%options%work = options%work
        frame%options%watch = options%watch
        frame%options%margin = options%margin
        frame%options%max_trials = options%max_trials
        frame%options%top_k = options%top_k
        frame%options%seed = options%seed
        frame%options%stop_at_ns = options%stop_at_ns
        call buffers_to_c(frame%options%restore, options%restore)
        call buffers_to_c(frame%options%zero, options%zero)
        call buffers_to_c(frame%options%outputs, options%outputs)
        if (associated(options%setup)) frame%options%setup = c_funloc(call_setup)
        if (associated(options%verify)) frame%options%verify = c_funloc(call_verify)
        frame%options%backend = options%backend
        frame%options%ranks = options%ranks
        frame%options%agree = options%agree
        frame%options%first_rank = options%first_rank
        frame%options%cache = options%cache
        frame%options%unseen = options%unseen
        frame%options%isolate = options%isolate
    end subroutine

    ! Copies a result from C. Without a tuner the library returns no result.
    recursive subroutine give_result(tuner, returned, c, result)
        type(autotune_tuner), intent(in) :: tuner
        integer, intent(in) :: returned
        type(c_result), intent(in) :: c
        type(autotune_result), intent(inout) :: result
        result%status = returned
        if (.not. c_associated(tuner%c)) return
        result%status = c%status
        result%verdict = c%verdict
        result%cache_hit = c%cache_hit
        result%index = int(c%index, int64)
        result%median_ns = c%median_ns
        result%min_ns = c%min_ns
        result%runner_up_ns = c%runner_up_ns
        result%default_ns = c%default_ns
        result%slowest_ns = c%slowest_ns
        result%lead = c%lead
        result%lead_low = c%lead_low
        result%lead_high = c%lead_high
        result%c_doubt = c%doubt
        result%c_note = c%note
        result%space_size = int(c%space_size, int64)
        result%refused = int(c%refused, int64)
        result%tried = int(c%tried, int64)
        result%failed = int(c%failed, int64)
        result%launches = int(c%launches, int64)
        result%seconds = c%seconds
        result%loss_seconds = c%loss_seconds
        result%c_guessed_from = c%guessed_from
        result%in_use_ns = c%in_use_ns
        result%config%c = c%config
    end subroutine

    ! Tunes on a miss, then calls the kernel with the winner. launch: the kernel of this call, which may be an internal
    ! procedure; without it the kernel of autotune_create. status: the status of the call for real, or why no call was
    ! made.
    recursive subroutine autotune_call(tuner, options, launch, result, status)
        type(autotune_tuner), intent(in) :: tuner
        type(autotune_options), intent(in), optional :: options
        procedure(autotune_launch), optional :: launch
        type(autotune_result), intent(out), optional :: result
        integer, intent(out), optional :: status
        type(call_frame), target :: frame
        integer :: returned
        call fill_context(frame%context, tuner, options, launch)
        call fill_options(frame, options)
        if (present(result)) frame%options%result = c_loc(frame%result)
        returned = c_call(tuner%c, frame%options)
        if (present(result)) call give_result(tuner, returned, frame%result, result)
        if (present(status)) status = returned
    end subroutine

    ! Like autotune_call, without the call for real.
    recursive subroutine autotune_tune(tuner, options, launch, result, status)
        type(autotune_tuner), intent(in) :: tuner
        type(autotune_options), intent(in), optional :: options
        procedure(autotune_launch), optional :: launch
        type(autotune_result), intent(out), optional :: result
        integer, intent(out), optional :: status
        type(call_frame), target :: frame
        integer :: returned
        call fill_context(frame%context, tuner, options, launch)
        call fill_options(frame, options)
        if (present(result)) frame%options%result = c_loc(frame%result)
        returned = c_tune(tuner%c, frame%options)
        if (present(result)) call give_result(tuner, returned, frame%result, result)
        if (present(status)) status = returned
    end subroutine

    ! Queues a case for autotune_tune_all. The arrays of buffers, the target of options%user, and the procedures must
    ! exist until the case is tuned.
    recursive subroutine autotune_add(tuner, options, launch, status)
        type(autotune_tuner), intent(in) :: tuner
        type(autotune_options), intent(in), optional :: options
        procedure(autotune_launch), optional :: launch
        integer, intent(out), optional :: status
        type(call_frame), target :: frame
        type(context), pointer :: queued
        integer :: returned
        allocate (queued, stat=returned)
        if (returned /= 0) then
            if (present(status)) status = AUTOTUNE_ERR_MEMORY
            return
        end if
        call fill_context(queued, tuner, options, launch)
        call fill_options(frame, options)
        frame%options%user = c_loc(queued)
        returned = c_add(tuner%c, frame%options)
        if (returned == AUTOTUNE_OK) then
            call c_keep(tuner%data%queued, queued%next, c_loc(queued))
        else
            deallocate (queued)
        end if
        if (present(status)) status = returned
    end subroutine

    ! Tunes all queued cases whose winner is not known. status: the first status that is not AUTOTUNE_OK.
    recursive subroutine autotune_tune_all(status)
        integer, intent(out), optional :: status
        integer :: returned
        returned = c_tune_all()
        if (present(status)) status = returned
    end subroutine

    ! Begins a step of tuning in production. The program has to run step%config once, for real, and then end the step.
    recursive subroutine autotune_step_begin(tuner, options, step, result, status)
        type(autotune_tuner), intent(in) :: tuner
        type(autotune_options), intent(in), optional :: options
        type(autotune_step), intent(out) :: step
        type(autotune_result), intent(out), optional :: result
        integer, intent(out), optional :: status
        type(call_frame), target :: frame
        integer :: returned
        allocate (step%context, stat=returned)
        if (returned /= 0) then
            if (present(status)) status = AUTOTUNE_ERR_MEMORY
            return
        end if
        call fill_context(step%context, tuner, options)
        call fill_options(frame, options)
        frame%options%user = c_loc(step%context)
        if (present(result)) frame%options%result = c_loc(frame%result)
        returned = c_step_begin(tuner%c, frame%options, step%c)
        step%config%c = step%c%config
        step%config%user => step%context%user
        if (present(result)) call give_result(tuner, returned, frame%result, result)
        if (present(status)) status = returned
        ! The program may leave out the end of a step that could not begin. The ticket is 0: the context is not used
        ! again.
        if (returned /= AUTOTUNE_OK .and. step%c%ticket == 0) deallocate (step%context)
    end subroutine

    ! Ends a step, in any thread. ns: its time in nanoseconds, or below 0 if the step failed; without ns, the time since
    ! autotune_step_begin.
    recursive subroutine autotune_step_end(step, ns, status)
        type(autotune_step), intent(inout) :: step
        real(real64), intent(in), optional :: ns
        integer, intent(out), optional :: status
        integer :: returned
        if (present(ns)) then
            returned = c_step_end(step%c, ns)
        else
            returned = c_step_end(step%c, ieee_value(1._c_double, ieee_quiet_nan))
        end if
        if (associated(step%context)) deallocate (step%context)
        if (present(status)) status = returned
    end subroutine

    ! ---- Results of this process -------------------------------------------------------------------------------------

    ! Looks up the winner of a key, for any tuner with this name, without a call.
    subroutine autotune_lookup(name, key, winner, status)
        character(*), intent(in) :: name
        type(autotune_key), intent(in), target :: key
        type(autotune_config), intent(out), optional :: winner
        integer, intent(out), optional :: status
        type(c_config) :: c
        integer :: returned
        c = NO_CONFIG
        returned = c_lookup(to_c(name), key_to_c(key), c)
        if (present(winner)) winner%c = c
        if (present(status)) status = returned
    end subroutine

    ! Writes every result of this process to a file, which autotune_load reads.
    subroutine autotune_save(path, status)
        character(*), intent(in) :: path
        integer, intent(out), optional :: status
        integer :: returned
        returned = c_save(to_c(path))
        if (present(status)) status = returned
    end subroutine

    subroutine autotune_load(path, status)
        character(*), intent(in) :: path
        integer, intent(out), optional :: status
        integer :: returned
        returned = c_load(to_c(path))
        if (present(status)) status = returned
    end subroutine

    ! Forgets results. name: the tuner; without it all tuners. key: without it all keys. where: AUTOTUNE_MEMORY,
    ! AUTOTUNE_DISK or their sum; without it AUTOTUNE_MEMORY.
    subroutine autotune_clear(name, key, where, status)
        character(*), intent(in), optional :: name
        type(autotune_key), intent(in), target, optional :: key
        integer, intent(in), optional :: where
        integer, intent(out), optional :: status
        character(kind=c_char), allocatable, target :: c_name(:)
        type(c_key), target :: c_key_of
        type(c_ptr) :: at_name, at_key
        integer :: returned
        at_name = c_null_ptr
        at_key = c_null_ptr
        if (present(name)) then
            allocate (c_name, source=to_c(name))
            at_name = c_loc(c_name)
        end if
        if (present(key)) then
            c_key_of = key_to_c(key)
            at_key = c_loc(c_key_of)
        end if
        returned = AUTOTUNE_MEMORY
        if (present(where)) returned = where
        returned = c_clear(at_name, at_key, int(returned, c_int))
        if (present(status)) status = returned
    end subroutine

    ! Returns how many keys without a winner calls have used: races that go on, and misses.
    function autotune_open_keys() result(keys)
        integer(int64) :: keys
        keys = int(c_open_keys(), int64)
    end function

    subroutine autotune_shutdown(status)
        integer, intent(out), optional :: status
        integer :: returned
        returned = c_shutdown()
        if (present(status)) status = returned
    end subroutine

    ! Collective: all ranks learn the results that rank 0 knows.
    subroutine autotune_agree(ranks, status)
        type(c_ptr), intent(in) :: ranks
        integer, intent(out), optional :: status
        integer :: returned
        returned = c_agree(ranks)
        if (present(status)) status = returned
    end subroutine

    pure function anchor_int8(x, base) result(power)
        integer(int8), intent(in) :: x
        integer, intent(in), optional :: base
        integer(int64) :: power
        power = anchor_int64(int(x, int64), base)
    end function
    pure function anchor_int16(x, base) result(power)
        integer(int16), intent(in) :: x
        integer, intent(in), optional :: base
        integer(int64) :: power
        power = anchor_int64(int(x, int64), base)
    end function
    pure function anchor_int32(x, base) result(power)
        integer(int32), intent(in) :: x
        integer, intent(in), optional :: base
        integer(int64) :: power
        power = anchor_int64(int(x, int64), base)
    end function
    pure function anchor_int64(x, base) result(power)
        integer(int64), intent(in) :: x
        integer, intent(in), optional :: base
        integer(int64) :: power, power_of
        power_of = 2
        if (present(base)) power_of = base
        power = c_anchor(x, power_of, 0_int64, 0_int64)
    end function

    function autotune_status_text(status) result(text)
        integer, intent(in) :: status
        character(:), allocatable :: text
        text = from_c(c_status_text(int(status, c_int)))
    end function

    function autotune_verdict_text(verdict) result(text)
        integer, intent(in) :: verdict
        character(:), allocatable :: text
        text = from_c(c_verdict_text(int(verdict, c_int)))
    end function

    ! Returns the last error of this thread as one sentence, or ''.
    function autotune_last_error() result(text)
        character(:), allocatable :: text
        text = from_c(c_last_error())
    end function
end module autotune
